/** The messages of the pages, by the word in the URL: what was done, or the reason why nothing was changed. */

const done: Readonly<Record<string, string>> = {
  'invite-done': 'The invitation is on its way.',
  'revoke-done': 'The invitation was withdrawn.',
  'role-done': 'The role was changed.',
  'remove-done': 'The member was removed.',
  'transfer-done': 'The organization has a new owner. You are an admin now.',
  'leave-done': 'You have left the organization.',
  'create-done': 'The identity provider was connected. Register its redirect URI there, then try it.',
  'state-done': 'The state was changed.',
  'policy-done': 'The policy was changed.',
  'delete-done': 'The identity provider was removed.',
  'verify-done': 'The domain was verified.',
  'release-done': 'The domain is not verified any more.',
}

const reasons: Readonly<Record<string, string>> = {
  session: 'You are not signed in any more. Sign in, and try again.',
  unknown: 'You are no member of this organization any more.',
  forbidden: 'Your role does not allow this.',
  member: 'This user is no member any more.',
  lastOwner: 'An organization needs an owner. Make another member an owner first.',
  email: 'This is not an email address.',
  limited: 'That was too often. Try again later.',
  invitation: 'This invitation was accepted or withdrawn already.',
  name: 'Choose a name without a web address.',
  refused: 'Your role does not allow this.',
  stale: 'Sign in again before you change the sign-in of your organization.',
  issuer: 'This issuer cannot be used. Use the https URL of your own identity provider.',
  unreachable: 'The identity provider does not answer. Check the issuer.',
  metadata: 'The metadata of the identity provider cannot be used. Write the issuer exactly as they do.',
  untested: 'Turn it on and sign in by it first. After that you have an hour to require it.',
  exempt: 'Select an owner who has a password and a second factor, who can repair the connection.',
  conflict: 'Another owner has changed it at the same time. Look at it again.',
  domain: 'This is not a domain, such as example.com.',
  missing: 'The record was not found. New records can take some minutes.',
  taken: 'Another organization has verified this domain.',
  unavailable: 'The name servers do not answer. Try again later.',
}

/** A message of a page. */
export interface Notice {
  readonly text: string
  /** `true` if nothing was changed. */
  readonly isError: boolean
}

/** Returns the message for the word in a URL. */
export function noticeOf(word: unknown): Notice | undefined {
  if (typeof word !== 'string') return undefined
  if (Object.hasOwn(done, word)) return { text: done[word] ?? '', isError: false }
  return Object.hasOwn(reasons, word) ? { text: reasons[word] ?? '', isError: true } : undefined
}
