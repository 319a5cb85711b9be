/** Users who were made for an account that could then not be linked, by an adapter that takes nothing back. */
import type { AdapterUser } from '../adapters/types.js'
import type { ResolvedConfig } from '../context.js'
import { readCsrf } from '../crypto/csrf.js'
import { shortHash } from '../crypto/hash.js'
import { BoundedMap, perOwner } from '../memory.js'
import { type Attempt, accountKey } from './attempt.js'

interface HalfMade {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Whether the address was proved as the user was made. */
  readonly proved: boolean
}

/** Milliseconds in which who made a passkey tries again. Who has the account itself may come whenever they like. */
const patience = 15 * 60 * 1000

/** By the account that is missing. */
const halfMadeOf = perOwner((_config: ResolvedConfig) => new BoundedMap<string, HalfMade>(10_000))

/** Remembers that the user's account is still to be linked. Where the adapter takes the user back nothing is. */
export function noteHalfMade(attempt: Attempt, { id, emailVerified }: AdapterUser): void {
  const key = attempt.store.has('transaction') ? undefined : keyOf(attempt)
  if (key === undefined) return
  const until = attempt.identity.newPasskey ? Date.now() + patience : Number.POSITIVE_INFINITY
  halfMadeOf(attempt.context.config).set(key, { id, until, proved: emailVerified !== null })
}

/** The user who was made for this account, and is nobody else's by now. */
export async function findHalfMade(attempt: Attempt): Promise<AdapterUser | null> {
  const key = keyOf(attempt)
  const made = key === undefined ? undefined : halfMadeOf(attempt.context.config).get(key)
  if (!made || made.until < Date.now()) return null
  const user = await attempt.store.getUser(made.id)
  // Who proved the address since has the user: this account may be a stranger's.
  return user && (user.emailVerified !== null) === made.proved ? user : null
}

/** The account is linked. */
export function noteWhole(attempt: Attempt): void {
  const key = keyOf(attempt)
  if (key !== undefined) halfMadeOf(attempt.context.config).delete(key)
}

function keyOf({ context, identity }: Attempt): string | undefined {
  const { provider, providerAccountId } = accountKey(identity)
  if (!identity.newPasskey) return JSON.stringify([provider, providerAccountId])
  // A passkey's account is another one at each try. That it is the same person, address and browser say together: an address
  // alone anybody can type.
  const { cookies, cookiePolicy, config } = context
  const browser = readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
  return browser === null
    ? undefined
    : JSON.stringify([provider, 'passkey of', identity.user.email, shortHash(browser)])
}
