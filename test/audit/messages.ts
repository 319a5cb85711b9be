/** One message for each event, with all that an event can hold. */
import type { AuditLog } from '../../lib/audit/index.js'
import { CredentialsSignin } from '../../lib/errors.js'

export type AppendedEvents = AuditLog['events']

const user = {
  id: 'ann-1',
  name: 'Ann Secretive',
  email: 'ann@private.example',
  emailVerified: null,
  image: 'https://img.example/ann',
}
const account = {
  ...{ provider: 'github', providerAccountId: 'ann@private.example', type: 'oauth' as const, userId: 'ann-1' },
  ...{ access_token: 'access-token-of-ann', refresh_token: 'refresh-token-of-ann' },
}
const request = { ip: '203.0.113.77', userAgent: 'Mozilla/5.0 (Personal)' }
const sid = 'session-1'

export const messages: { readonly [E in keyof AppendedEvents]: Parameters<AppendedEvents[E]>[0] } = {
  signIn: { user, account, isNewUser: true, profile: { name: 'Ann Secretive' }, sid, request },
  signOut: {
    token: { name: 'Ann Secretive', email: 'ann@private.example', auth_owner: { id: 'ann-1', type: 'oauth' } },
    sid,
    request,
  },
  createUser: { user },
  updateUser: { user, previousEmail: 'ann@private.example', firstProof: true },
  linkAccount: { user, account, profile: user },
  unlinkAccount: { user, account, sid, request },
  passkeyRemoved: { user, credentialID: 'credential-1', sid, request },
  factorAdded: { userId: 'u1', factor: 'totp', sid: 's1', request },
  factorRemoved: { userId: 'u1', factor: 'totp', reason: 'removed', sid: 's1', request },
  sessionEnded: { reason: 'endSessionsOf', sid, userId: 'ann-1', endedBy: 'session-2', by: 'desk-1', request },
  userDisabled: { userId: 'ann-1', by: 'desk-1', sid, request },
  userEnabled: { userId: 'ann-1', by: 'desk-1', sid, request },
  userDeleted: { userId: 'ann-2', reason: 'ticket 1', keepAudit: true, by: 'desk-1', sid, request },
  passwordLinkSent: { userId: 'ann-1', by: 'desk-1', sid, request },
  passwordChanged: { user, reason: 'reset', request },
  apiKeyCreated: { userId: 'ann-1', keyId: 'key-1', scopes: ['read'], expires: new Date(0), sid, request },
  apiKeyRevoked: { userId: 'ann-1', keyId: 'key-1', by: 'desk-1', sid, request },
  impersonationBegan: { userId: 'ann-1', by: 'desk-1', reason: 'ticket 7', sid, request },
  organizationChanged: {
    ...{ organizationId: 'org-1', change: 'memberAdded', userId: 'ann-1', role: 'member', by: 'desk-1' },
    ...{ sid, request },
  },
  impersonationEnded: { userId: 'ann-1', by: 'desk-1', reason: 'ticket 7', sid, request },
  failure: {
    ...{ type: 'CredentialsSignin', action: 'callback', provider: 'credentials', request },
    error: new CredentialsSignin('ann@private.example typed it'),
  },
  denied: { rule: 'credentials', by: 'account', key: 'hash-1', retryAfter: 1, provider: 'credentials', request },
}

/** The values of these messages that must not be in the table. */
export const personal = ['Secretive', 'private.example', 'token-of-ann', '203.0.113.77', 'Mozilla', 'img.example']
