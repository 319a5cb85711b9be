/** Who is signed in, with what it takes to look after them. */

import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig, Store } from '../contracts/index.js'
import { type CallEffect, sharedAuthOf } from '../engine/index.js'
import { MissingAdapter, ReauthenticationRequired } from '../errors.js'
import type { SessionRequest } from '../get-session.js'
import { header, requestInfo } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import { refusalOf, type StoredPrincipal } from '../principal/index.js'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../types/adapter.js'
import type { RequestInfo, ServerAuthConfig, SessionFacts } from '../types/config.js'
import { isPasskeyAccount } from '../users/accounts.js'
import { lockUser } from '../users/user-row.js'

/** A person, signed in. */
export interface Person {
  readonly resolved: ResolvedConfig
  readonly store: Store
  readonly owner: StoredPrincipal
  readonly user: AdapterUser
}

/**
 * The person of a request; `null` when nobody is signed in, or nobody whom the adapter knows. For a change the store says whether the session
 * has ended: another process may have ended it a moment ago.
 *
 * @throws {@link MissingCSRF} for a change in a request that a page of another site may have caused.
 */
export async function personOf(
  req: SessionRequest,
  config: ServerAuthConfig,
  effect: CallEffect,
): Promise<Person | null> {
  const auth = sharedAuthOf(config)
  const { store } = auth.config
  if (!store) throw new MissingAdapter('Accounts and sessions can be listed with an `adapter` only.')
  const source = { cookie: header(req.headers, 'cookie'), origin: readOrigin(req) }
  auth.assertCall({ ...source, headers: req.headers }, effect)
  const owner = await auth.owner(source)
  if (owner && auth.config.session.strategy === 'jwt') {
    // An encrypted token does not know that it was revoked: the `jwt` callback does.
    const { session } = await auth.readSession({ ...source, authorization: undefined, writable: false })
    if (!session || (effect === 'changes' && !(await auth.readLive(req)))) return null
  }
  const user = owner && (await store.getUser(owner.userId))
  return owner && user ? { resolved: auth.config, store, owner, user } : null
}

/**
 * The person of a request that changes what they sign in with; `null` when nobody is signed in, or nobody whom the adapter knows.
 *
 * @throws {@link ReauthenticationRequired} in a session with an end of its own, or that did not begin in this browser;
 * {@link MissingCSRF} as {@link personOf} does.
 */
export async function managerOf(req: SessionRequest, config: ServerAuthConfig): Promise<Person | null> {
  const person = await personOf(req, config, 'changes')
  if (person === null || refusalOf(person.owner, 'manageAccount', undefined) === undefined) return person
  throw new ReauthenticationRequired(
    'This session may not change the account: it did not begin in this browser, or has an end of its own. Sign in again.',
  )
}

/** The client's address, where the framework knows it. */
export function addressOf(req: SessionRequest): string | undefined {
  return 'ip' in req && typeof req.ip === 'string' ? req.ip : undefined
}

/** Where a request came from, for events. */
export function infoOf(req: SessionRequest): RequestInfo {
  return requestInfo({ ip: addressOf(req), headers: req.headers })
}

/** In which session something was done, and where the request came from, for events. */
export function factsOf(req: SessionRequest, { owner }: Pick<Person, 'owner'>): SessionFacts {
  return { sid: owner.id, request: infoOf(req) }
}

/** All that a person may sign in with. */
export interface WaysIn {
  /** Passkey providers' among them. */
  readonly accounts: readonly AdapterAccount[]
  readonly passkeys: readonly AdapterAuthenticator[]
}

/** Reads the ways in; a list is empty where the adapter has no such method. */
export async function readWays({ store, user, resolved }: Person): Promise<WaysIn> {
  const listsPasskeys = hasKind(resolved, 'webauthn') && store.can.listPasskeys
  const [accounts, passkeys] = await Promise.all([
    store.can.listAccounts ? store.listAccounts(user.id) : [],
    listsPasskeys ? store.listAuthenticators(user.id) : [],
  ])
  return { accounts, passkeys }
}

/** Whether what is left lets the person in: an account or a passkey of a provider that is configured, or a mailed link. */
export function letsIn({ resolved, store, user }: Person, { accounts, passkeys }: WaysIn): boolean {
  const isConfigured = ({ provider }: AdapterAccount) => resolved.providers.has(provider)
  if (accounts.some((account) => !isPasskeyAccount(account) && isConfigured(account))) return true
  const handles = new Set(accounts.filter(isConfigured).map(({ providerAccountId }) => providerAccountId))
  const isKnown = ({ providerAccountId }: AdapterAuthenticator) => handles.has(providerAccountId)
  if (passkeys.some(store.can.listAccounts ? isKnown : () => true)) return true
  // A mailed link leads to a user by an address that is proved.
  return Boolean(user.email) && user.emailVerified !== null && hasKind(resolved, 'email')
}

function hasKind({ providers }: ResolvedConfig, kind: 'email' | 'webauthn'): boolean {
  return [...providers.values()].some((provider) => provider.kind === kind)
}

const removalsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Takes something away. Two at once would each take the other one for the way that is left: they go one after the other. */
export function inTurn<Whose extends Pick<Person, 'resolved' | 'store' | 'user'>, T>(
  person: Whose,
  work: (person: Whose) => Promise<T>,
): Promise<T> {
  const { resolved, store, user } = person
  return removalsOf(resolved.memory).run(user.id, () =>
    store.transaction(async (tx) => {
      // In other processes too, and behind whoever is about to attach something.
      if (store.can.transact) await lockUser(tx, user)
      return work({ ...person, store: tx })
    }),
  )
}
