/**
 * Each function that applications call, with its effect and arguments. `test/calls/other-sites` compares this table with the functions of
 * both doors, so a new function does not pass before it has an entry here.
 */
import type { Request, Response } from 'express'
import type { CallRule } from '../../lib/functions/index.js'
import { rules } from '../../lib/functions/index.js'
import * as main from '../../lib/index.js'
import { type DefinedAuth, defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { FullStackAuthResult } from '../../shim/index.js'

/** The functions that the shim returns. */
type Own = FullStackAuthResult

/** A request on Express, and the configuration. */
export interface Place {
  readonly req: Request
  readonly res: Response
  readonly config: ServerAuthConfig
}

/** The calls of a function at each door. */
export interface Entry {
  readonly onExpress: (place: Place) => unknown
  readonly onFetch: (own: Own) => unknown
}

const ann = { username: 'ann', password: 'right', redirect: false } as const
const email = { email: 'new@example.com' }
const account = { provider: 'mail', providerAccountId: 'none' }
const user = { userId: 'nobody' }
const oidc = { provider: 'oidc' }
const good = 'four words in a row'

/** Arguments of functions in groups that change something for the user of the request. */
const changing: Arguments = {
  'sessions.end': ['none'],
  'sessions.endOthers': [],
  'sessions.setData': [{ organisation: 'evil' }],
  'account.unlink': [account],
  'account.changeEmail': [email],
  'account.renamePasskey': ['none', 'name'],
  'account.removePasskey': ['none'],
  'impersonation.begin': [{ ...user, reason: 'ticket 7' }],
  'impersonation.end': [],
  'account.requestDeletion': [],
  'passwords.change': [{ current: 'right', password: good }],
  'factors.enrolTotp': [],
  'factors.enrolEmail': [],
  'factors.confirm': [{ type: 'totp', setup: 'none', code: '000000' }],
  'factors.remove': ['none'],
  'factors.newRecoveryCodes': [],
  'tokens.disconnect': [oidc],
  'organizations.setActive': ['acme'],
  'apiKeys.create': [{ name: 'script', scopes: ['read'] }],
  'apiKeys.revoke': ['none'],
  'organizations.create': [{ name: 'Evil', slug: 'evil' }],
  'organizations.invite': [{ organization: 'acme', ...email, role: 'owner' }],
  'organizations.revokeInvitation': [{ organization: 'acme', id: 'none' }],
  'organizations.setRole': [{ organization: 'acme', ...user, role: 'owner' }],
  'organizations.removeMember': [{ organization: 'acme', ...user }],
  'organizations.leave': ['acme'],
  'organizations.transferOwnership': [{ organization: 'acme', ...user, role: 'owner' }],
  'organizations.update': [{ organization: 'acme', name: 'Evil' }],
  'organizations.delete': ['acme'],
  'connections.create': [{ organization: 'acme', name: 'Acme', issuer: 'https://127.0.0.1', clientId: 'id' }],
  'connections.verifyDomain': [{ organization: 'acme', domain: 'acme.example' }],
  'connections.releaseDomain': [{ organization: 'acme', domain: 'acme.example' }],
  'connections.set': ['none', { state: 'off' }],
  'connections.delete': ['none'],
}

/** Arguments of functions that show something. */
const reading: Arguments = {
  'account.get': [],
  'apiKeys.list': [],
  'passwords.has': [],
  'sessions.watch': [() => {}],
  'organizations.get': ['acme'],
  'organizations.list': [],
  'organizations.members': ['acme'],
  'organizations.invitations': ['acme'],
  'tokens.get': [oidc],
  'tokens.fetch': [oidc],
  'tokens.connectUrl': [oidc],
  'connections.list': ['acme'],
  'connections.claimDomain': [{ organization: 'acme', domain: 'acme.example' }],
  'tokens.exchange': [{ ...oidc, audience: 'billing' }],
}

/** Arguments of functions about any user. */
const administering: Arguments = {
  'sessions.endAll': ['nobody'],
  'users.list': [{ search: 'nobody' }],
  'users.get': ['nobody'],
  'users.create': [{ ...email, emailVerified: false }],
  'users.update': [{ ...user, name: 'Eve' }],
  'users.endSessions': ['nobody'],
  'users.resetFactors': ['nobody'],
  'users.sendPasswordLink': ['nobody'],
  'users.disable': ['nobody'],
  'users.enable': ['nobody'],
  'users.delete': ['nobody', { reason: 'test' }],
  'users.unfinishedDeletions': [],
  'users.export': ['nobody'],
  'factors.reset': ['nobody'],
  'organizations.forget': ['nobody'],
  'apiKeys.revokeAll': ['nobody'],
  'organizations.admit': [{ organization: 'acme', ...user, role: 'owner' }],
  'organizations.dismiss': [{ organization: 'acme', ...user }],
  'organizations.listOf': ['nobody'],
  'connections.verifiesAddress': [{ organization: 'acme', email: 'ann@acme.example' }],
  'passwords.set': [{ ...user, password: good }],
  'passwords.import': [{ ...user, hash: '$quick$1$salt$digest' }],
  'passwords.sendLink': [user],
}

type Arguments = Readonly<Record<string, readonly unknown[]>>

/** Finds a function of a group, whatever its arguments are. */
function functionOf(functions: object, path: string): (...args: unknown[]) => unknown {
  const [group = '', name = ''] = path.split('.')
  return Reflect.get(Reflect.get(functions, group), name)
}

function ruleOf(path: string): CallRule {
  const [group = '', name = ''] = path.split('.')
  return Reflect.get(Reflect.get(rules, group), name)
}

/** Calls a function on Express, where the request comes first or last. */
function callOnExpress(
  auth: DefinedAuth<ServerAuthConfig>,
  { req, res }: Place,
  path: string,
  args: readonly unknown[],
) {
  const { needs } = ruleOf(path)
  const call = functionOf(auth, path)
  if (needs === 'nothing') return call(...args, req)
  return needs === 'response' ? call(req, res, ...args) : call(req, ...args)
}

/** Calls a function that is returned: a part of the call, or what stops it. */
const called = (result: unknown) => (typeof result === 'function' ? result('https://api.example.com/') : result)

/** Makes the entries of functions in groups. */
function entriesOf(given: Arguments): Readonly<Record<string, Entry>> {
  return Object.fromEntries(
    Object.entries(given).map(([path, args]): [string, Entry] => [
      path,
      {
        onExpress: (place) => called(callOnExpress(defineAuth(place.config), place, path, args)),
        onFetch: (own) => called(functionOf(own, path)(...args)),
      },
    ]),
  )
}

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
  'signOut, everywhere': {
    onExpress: ({ req, res, config }) => main.signOut(req, res, config, { redirect: false, everywhere: true }),
    onFetch: (own) => own.signOut({ redirect: false, everywhere: true }),
  },
  'update unstable_update': {
    onExpress: ({ req, res, config }) => main.update(req, res, config, { user: { name: 'Eve' } }),
    onFetch: (own) => own.unstable_update({ user: { name: 'Eve' } }),
  },
  ...entriesOf(changing),
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
  'getCsrfToken csrf.token': {
    onExpress: ({ req, config }) => main.getCsrfToken(req, config),
    onFetch: (own) => own.auth.csrf.token(),
  },
  csrfField: {
    onExpress: ({ req, config }) => main.csrfField(req, config),
    onFetch: (own) => own.auth.csrf.field(),
  },
  'csrf.field': {
    onExpress: ({ req, config }) => defineAuth(config).csrf.field(req),
    onFetch: (own) => own.auth.csrf.field(),
  },
  ...entriesOf(reading),
}

/** Functions about any user, and functions for any request: the application authorizes their callers. */
export const administers: Readonly<Record<string, Entry>> = {
  startSession: {
    onExpress: ({ req, res, config }) => main.startSession(req, res, config, { user: { id: 'nobody' }, amr: [] }),
    onFetch: (own) => own.startSession({ user: { id: 'nobody' }, amr: [] }),
  },
  ...entriesOf(administering),
}

/** Exports that are called without a request, or that are the routes and guards themselves. */
export const noCalls: readonly string[] = [
  // The routes, what makes them, and guards.
  ...['ServerAuth', 'defineAuth', 'handlers', 'router', 'config', 'cors', 'requireSession', 'tokens.requireConnection'],
  ...['require', 'requireConnection', 'requireApiKey', 'apiKeys.require'],
  // Checks of the tokens in forms, and of the origin.
  ...['hasCsrfToken', 'requireCsrf', 'csrf.require', 'csrf.verify', 'csrf.assertOrigin'],
  // Parts of a configuration.
  ...['EmailCode', 'PasskeyFactor', 'RecoveryCodes', 'Totp', 'customFetch', 'skipCSRFCheck'],
  ...['argon2id', 'defaultHasher', 'scrypt', 'bloomFile', 'writeBloomFile', 'hibp', 'aspNetIdentity', 'bcrypt'],
  ...['betterAuth', 'django', 'firebaseHash', 'firebaseScrypt', 'argon2Hashes', 'pbkdf2', 'scryptHashes'],
]
