/** The door for "your account" pages: where a person is signed in, and what they sign in with. */
import type { AccountKey, AdapterUser } from './adapters/types.js'
import { authOf } from './auth.js'
import type { ResolvedConfig, SessionOwner, Store } from './context.js'
import { sha256 } from './crypto/hash.js'
import { MissingAdapter } from './errors.js'
import type { SessionRequest } from './get-session.js'
import { header } from './http/message.js'
import { readOrigin } from './http/origin.js'
import { KeyedLock, perOwner } from './memory.js'
import { storedSessionKey } from './session/stored-session.js'
import type { ServerAuthConfig } from './types.js'

/** A place where a person is signed in. */
export interface OpenSession {
  /** Names the session in {@link endSession}. No token: nobody signs in with it. */
  readonly id: string
  /** The session of the request itself. */
  readonly current: boolean
  /**
   * When it began, or was last used, to within `session.updateAge`. Reckoned from `expires`: near its absolute end, or after
   * `session.maxAge` was changed, it is wrong.
   */
  readonly usedAt: Date
  readonly expires: Date
}

/** What a person signs in with. */
export interface LinkedAccount {
  readonly provider: string
  /** The provider's name, where the configuration still has it. */
  readonly name: string
  readonly providerAccountId: string
  /** The only way in: {@link unlinkAccount} refuses it. */
  readonly isLast: boolean
}

/** What belongs to the person who is signed in. */
export interface AccountOverview {
  readonly user: AdapterUser
  /** This one first, then what was used last. */
  readonly sessions: readonly OpenSession[]
  readonly accounts: readonly LinkedAccount[]
}

/**
 * Where the person is signed in and with what, by the adapter's `listSessionsByUserId` and `listAccountsByUserId`; a list
 * is empty where the adapter has no such method.
 *
 * @returns `null` when nobody is signed in, or the person is no user of the adapter (credentials with JWT sessions).
 * @throws {@link MissingAdapter} without an adapter, {@link AdapterError} when the database fails.
 *
 * @example
 * ```ts
 * app.get('/account', requireSession(config), async (req, res) => res.render('account', await getAccount(req, config)))
 * ```
 */
export async function getAccount(req: SessionRequest, config: ServerAuthConfig): Promise<AccountOverview | null> {
  const person = await personOf(req, config)
  if (!person) return null
  const { store, user, resolved } = person
  const [sessions, accounts] = await Promise.all([openSessions(person), linkedAccounts(store, user.id)])
  return {
    user,
    sessions,
    accounts: accounts.map(({ provider, providerAccountId }) => ({
      provider,
      name: resolved.providers.get(provider)?.name ?? provider,
      providerAccountId,
      isLast: !hasOtherWay(person, accounts, { provider, providerAccountId }),
    })),
  }
}

/**
 * Ends a session of the person who is signed in; of nobody else. Check the form with {@link hasCsrfToken} before, here and
 * below.
 *
 * @param id Of {@link getAccount}.
 * @returns `false` when the person has no such session, or nobody is signed in.
 *
 * @example
 * ```ts
 * if (hasCsrfToken(req, config)) await endSession(req, config, String(req.body.id))
 * ```
 */
export async function endSession(req: SessionRequest, config: ServerAuthConfig, id: string): Promise<boolean> {
  const person = await personOf(req, config)
  if (!person?.store.has('listSessionsByUserId')) return false
  const found = (await person.store.listSessions(person.user.id)).find(({ sessionToken }) => idOf(sessionToken) === id)
  if (!found) return false
  await person.store.deleteSession(found.sessionToken)
  return true
}

/**
 * Ends all sessions of the person but the one of the request: after a device was lost.
 *
 * @returns How many there were; 0 when nobody is signed in.
 */
export async function endOtherSessions(req: SessionRequest, config: ServerAuthConfig): Promise<number> {
  const person = await personOf(req, config)
  if (!person?.store.has('listSessionsByUserId')) return 0
  const others = (await person.store.listSessions(person.user.id)).filter(
    ({ sessionToken }) => storedSessionKey(sessionToken) !== person.owner.key,
  )
  for (const { sessionToken } of others) await person.store.deleteSession(sessionToken)
  return others.length
}

/**
 * Unlinks an account of the person who is signed in; of nobody else, and never the last way in. Sessions that were begun
 * with it go on: see {@link endOtherSessions}.
 *
 * @returns `unlinked`; `unknown` when the person has no such account, or nobody is signed in; `last` when there would be no
 * way left to sign in.
 */
export async function unlinkAccount(
  req: SessionRequest,
  config: ServerAuthConfig,
  account: AccountKey,
): Promise<'unlinked' | 'unknown' | 'last'> {
  const person = await personOf(req, config)
  if (!person) return 'unknown'
  const { store, user } = person
  // Two at once would each take the other one for the way that is left: they go one after the other.
  return unlinkingOf(person.resolved).run(user.id, () =>
    store.transaction(async (tx) => {
      // In other processes too. Writing locks the user's row; the picture is what matters least.
      if (store.has('transaction')) await tx.updateUser({ id: user.id, image: user.image ?? null })
      return unlink({ ...person, store: tx }, account)
    }),
  )
}

const unlinkingOf = perOwner((_config: ResolvedConfig) => new KeyedLock())

async function unlink(person: Person, account: AccountKey): Promise<'unlinked' | 'unknown' | 'last'> {
  const { store, user } = person
  const accounts = await linkedAccounts(store, user.id)
  const found = accounts.find((each) => isSame(each, account))
  if (!found) return 'unknown'
  if (!hasOtherWay(person, accounts, found)) return 'last'
  await store.unlinkAccount({ provider: found.provider, providerAccountId: found.providerAccountId })
  return 'unlinked'
}

/** Whether the person can sign in without the account: with another one, or with a mailed link. */
function hasOtherWay({ resolved, user }: Person, accounts: readonly AccountKey[], account: AccountKey): boolean {
  const others = accounts.filter((other) => !isSame(other, account) && resolved.providers.has(other.provider))
  return others.length > 0 || canUseEmail(resolved, user)
}

function isSame(one: AccountKey, other: AccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}

/** Who is signed in, with what it takes to look after them. */
interface Person {
  readonly resolved: ResolvedConfig
  readonly store: Store
  readonly owner: SessionOwner
  readonly user: AdapterUser
}

async function personOf(req: SessionRequest, config: ServerAuthConfig): Promise<Person | null> {
  const auth = authOf(config)
  const { store } = auth.config
  if (!store) throw new MissingAdapter('Accounts and sessions can be listed with an `adapter` only.')
  const source = { cookie: header(req.headers, 'cookie'), origin: readOrigin(req) }
  const owner = await auth.owner(source)
  if (owner && auth.config.session.strategy === 'jwt') {
    // An encrypted token does not know that it was revoked: the `jwt` callback does.
    const { session } = await auth.readSession({ ...source, authorization: undefined, writable: false })
    if (!session) return null
  }
  const user = owner && (await store.getUser(owner.userId))
  return owner && user ? { resolved: auth.config, store, owner, user } : null
}

async function openSessions({ store, user, owner, resolved }: Person): Promise<OpenSession[]> {
  if (!store.has('listSessionsByUserId')) return []
  const now = Date.now()
  return (await store.listSessions(user.id))
    .filter(({ expires }) => expires.getTime() > now)
    .map(({ sessionToken, expires }) => ({
      id: idOf(sessionToken),
      current: storedSessionKey(sessionToken) === owner.key,
      usedAt: new Date(Math.min(now, expires.getTime() - resolved.session.maxAge * 1000)),
      expires,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.expires.getTime() - a.expires.getTime())
}

async function linkedAccounts(store: Store, userId: string) {
  return store.has('listAccountsByUserId') ? store.listAccounts(userId) : []
}

/** Whether a mailed link leads to this user. */
function canUseEmail({ providers }: ResolvedConfig, { email, emailVerified }: AdapterUser): boolean {
  return Boolean(email) && emailVerified !== null && [...providers.values()].some(({ kind }) => kind === 'email')
}

function idOf(sessionToken: string): string {
  return sha256(`session id ${sessionToken}`).toString('base64url')
}
