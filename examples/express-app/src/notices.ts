/** The results of the forms of "Your account", as texts. */
const notices = {
  'name-changed': 'The name is changed.',
  'name-refused': 'Please choose a name that is not empty, and not too long.',
  'organisation-chosen': 'That is where you work now, in this browser.',
  'organisation-unknown': 'You do not belong to that organisation.',
  'email-sent': 'A link is on its way to the new address: open it in this browser.',
  'email-changed': 'Your address is changed.',
  'email-unchanged': 'That is your address already.',
  'email-refused': 'Please type one plain email address.',
  'email-limited': 'So many mails were asked for that you have to wait some minutes.',
  'email-unknown': 'Please sign in again first.',
  'session-ended': 'That device is signed out.',
  'session-unknown': 'That device was signed out already.',
  'others-ended': 'You are signed in on no other device.',
  'account-unlinked': 'That account no longer signs you in.',
  'account-unknown': 'That account was not linked.',
  'account-last': 'That account stays: without it you could no longer sign in. Link another one, or use an email link.',
  'passkey-added': 'The passkey is there: next time you can sign in with it.',
  'passkey-renamed': 'The passkey has its new name.',
  'passkey-refused': 'Please choose a name that is not empty, and not too long, for a passkey that is there.',
  'passkey-deleted':
    'That passkey no longer signs you in. Delete it on the device, too. Is the device lost? Then sign it out below.',
  'passkey-unknown': 'That passkey had already been removed.',
  'passkey-last': 'That passkey stays: without it you could no longer sign in. Add another sign-in method first.',
}

export type Notice = keyof typeof notices

/** Returns the text for a value of the page's URL, which may be anything. */
export function noticeOf(name: unknown): string | undefined {
  return Object.entries(notices).find(([each]) => each === name)?.[1]
}
