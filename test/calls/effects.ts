/**
 * Each function that applications call, with its effect. `test/calls/other-sites` compares this table with the exports of both
 * doors, so a new function does not pass before it has an entry here.
 */
import type { Request, Response } from 'express'
import * as factors from '../../lib/assurance/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import * as main from '../../lib/index.js'
import * as passwords from '../../lib/passwords/index.js'
import * as tokens from '../../lib/tokens/index.js'
import type { FullStackAuthResult } from '../../shim/index.js'

/** Everything that the shim returns. */
type Own = FullStackAuthResult

/** How a function is called at each door. */
export interface Entry {
  readonly onExpress: (place: { req: Request; res: Response; config: ServerAuthConfig }) => unknown
  readonly onFetch: (own: Own) => unknown
}

const ann = { username: 'ann', password: 'right', redirect: false } as const
const account = { provider: 'mail', providerAccountId: 'none' }
const user = { userId: 'nobody' }
const hash = { ...user, hash: '$quick$1$salt$digest' }
const password = { ...user, password: 'four words in a row' }
const change = { current: 'right', password: 'four words in a row' }
const confirmation = { type: 'totp', setup: 'none', code: '000000' } as const
const email = { email: 'new@example.com' }
const oidc = { provider: 'oidc' }

/** Functions that change something for the user of the request. */
export const changes: Readonly<Record<string, Entry>> = {
  'signIn, credentials': {
    onExpress: ({ req, res, config }) => main.signIn(req, res, config, 'credentials', ann),
    onFetch: (own) => own.signIn('credentials', ann),
  },
  'signIn, OpenID Connect': {
    onExpress: ({ req, res, config }) => main.signIn(req, res, config, 'oidc', { redirect: false }),
    onFetch: (own) => own.signIn('oidc', { redirect: false }),
  },
  'signIn, email': {
    onExpress: ({ req, res, config }) => main.signIn(req, res, config, 'mail', { ...email, redirect: false }),
    onFetch: (own) => own.signIn('mail', { ...email, redirect: false }),
  },
  signOut: {
    onExpress: ({ req, res, config }) => main.signOut(req, res, config, { redirect: false }),
    onFetch: (own) => own.signOut({ redirect: false }),
  },
  'update unstable_update': {
    onExpress: ({ req, res, config }) => main.update(req, res, config, { user: { name: 'Eve' } }),
    onFetch: (own) => own.unstable_update({ user: { name: 'Eve' } }),
  },
  setSessionData: {
    onExpress: ({ req, res, config }) => main.setSessionData(req, res, config, { organisation: 'evil' }),
    onFetch: (own) => own.setSessionData({ organisation: 'evil' }),
  },
  endSession: {
    onExpress: ({ req, config }) => main.endSession(req, config, 'none'),
    onFetch: (own) => own.endSession('none'),
  },
  endOtherSessions: {
    onExpress: ({ req, config }) => main.endOtherSessions(req, config),
    onFetch: (own) => own.endOtherSessions(),
  },
  unlinkAccount: {
    onExpress: ({ req, config }) => main.unlinkAccount(req, config, account),
    onFetch: (own) => own.unlinkAccount(account),
  },
  changeEmail: {
    onExpress: ({ req, config }) => main.changeEmail(req, config, email),
    onFetch: (own) => own.changeEmail(email),
  },
  renamePasskey: {
    onExpress: ({ req, config }) => main.renamePasskey(req, config, 'none', 'name'),
    onFetch: (own) => own.renamePasskey('none', 'name'),
  },
  deletePasskey: {
    onExpress: ({ req, config }) => main.deletePasskey(req, config, 'none'),
    onFetch: (own) => own.deletePasskey('none'),
  },
  changePassword: {
    onExpress: ({ req, config }) => passwords.changePassword(req, config, change),
    onFetch: (own) => own.changePassword(change),
  },
  enrolFactor: {
    onExpress: ({ req, res, config }) => factors.enrolFactor(req, res, config, 'totp'),
    onFetch: (own) => own.enrolFactor('totp'),
  },
  confirmFactor: {
    onExpress: ({ req, res, config }) => factors.confirmFactor(req, res, config, confirmation),
    onFetch: (own) => own.confirmFactor(confirmation),
  },
  removeFactor: {
    onExpress: ({ req, res, config }) => factors.removeFactor(req, res, config, 'none'),
    onFetch: (own) => own.removeFactor('none'),
  },
  newRecoveryCodes: {
    onExpress: ({ req, res, config }) => factors.newRecoveryCodes(req, res, config),
    onFetch: (own) => own.newRecoveryCodes(),
  },
  disconnect: {
    onExpress: ({ req, config }) => tokens.disconnect(req, config, oidc),
    onFetch: (own) => own.disconnect(oidc),
  },
}

/** Functions that show something. Pages that call them can be linked from anywhere. */
export const reads: Readonly<Record<string, Entry>> = {
  'signIn, no provider': {
    onExpress: ({ req, res, config }) => main.signIn(req, res, config, undefined, { redirect: false }),
    onFetch: (own) => own.signIn(undefined, { redirect: false }),
  },
  'getSession auth': {
    onExpress: ({ req, config }) => main.getSession(req, config),
    onFetch: (own) => own.auth(),
  },
  getAccount: {
    onExpress: ({ req, config }) => main.getAccount(req, config),
    onFetch: (own) => own.getAccount(),
  },
  hasPassword: {
    onExpress: ({ req, config }) => passwords.hasPassword(req, config),
    onFetch: (own) => own.hasPassword(),
  },
  getAccessToken: {
    onExpress: ({ req, config }) => tokens.getAccessToken(req, config, oidc),
    onFetch: (own) => own.getAccessToken(oidc),
  },
  providerFetch: {
    onExpress: ({ req, config }) => tokens.providerFetch(req, config, oidc)('https://api.example.com/'),
    onFetch: (own) => own.providerFetch(oidc)('https://api.example.com/'),
  },
  connectUrl: {
    onExpress: ({ req, config }) => tokens.connectUrl(req, config, oidc),
    onFetch: (own) => own.connectUrl(oidc),
  },
  exchangeToken: {
    onExpress: ({ req, config }) => tokens.exchangeToken(req, config, { ...oidc, audience: 'billing' }),
    onFetch: (own) => own.exchangeToken({ ...oidc, audience: 'billing' }),
  },
}

/** Functions about any user, and the open door: the application says who may. */
export const administers: Readonly<Record<string, Entry>> = {
  startSession: {
    onExpress: ({ req, res, config }) => main.startSession(req, res, config, { user: { id: 'nobody' }, amr: [] }),
    onFetch: (own) => own.startSession({ user: { id: 'nobody' }, amr: [] }),
  },
  endSessionsOf: {
    onExpress: ({ req, config }) => main.endSessionsOf(config, 'nobody', req),
    onFetch: (own) => own.endSessionsOf('nobody'),
  },
  disableUser: {
    onExpress: ({ req, config }) => main.disableUser(config, 'nobody', req),
    onFetch: (own) => own.disableUser('nobody'),
  },
  enableUser: {
    onExpress: ({ req, config }) => main.enableUser(config, 'nobody', req),
    onFetch: (own) => own.enableUser('nobody'),
  },
  resetFactors: {
    onExpress: ({ req, config }) => factors.resetFactors(config, 'nobody', req),
    onFetch: (own) => own.resetFactors('nobody'),
  },
  setPassword: {
    onExpress: ({ req, config }) => passwords.setPassword(config, password, req),
    onFetch: (own) => own.setPassword(password),
  },
  importPassword: {
    onExpress: ({ config }) => passwords.importPassword(config, hash),
    onFetch: (own) => own.importPassword(hash),
  },
  sendPasswordLink: {
    onExpress: ({ req, config }) => passwords.sendPasswordLink(config, user, req),
    onFetch: (own) => own.sendPasswordLink(user),
  },
}

/** Exports that are called without a request, or that are the routes and guards themselves. */
export const noCalls: readonly string[] = [
  // The routes, what makes them, and guards.
  ...['ServerAuth', 'defineAuth', 'handlers', 'router', 'config', 'requireSession', 'requireConnection'],
  // Tokens for forms.
  ...['getCsrfToken', 'hasCsrfToken'],
  // Parts of a configuration.
  ...['EmailCode', 'PasskeyFactor', 'RecoveryCodes', 'Totp', 'customFetch', 'skipCSRFCheck'],
  ...['argon2id', 'defaultHasher', 'scrypt', 'bloomFile', 'writeBloomFile', 'hibp', 'aspNetIdentity', 'bcrypt'],
  ...['betterAuth', 'django', 'firebaseHash', 'firebaseScrypt', 'argon2Hashes', 'pbkdf2', 'scryptHashes'],
]
