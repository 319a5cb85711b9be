/**
 * Single-use links. Each emailed link is created, checked and spent here:
 *
 * | Link | Bound to | Kept in | Valid |
 * |---|---|---|---|
 * | sign-in, `flows/email/tokens` | provider, email address, security stamp | verification tokens | the newest of the address |
 * | change of the email address, `flows/email/email-change` | provider, user, old and new address | verification tokens | the newest of the user |
 * | sign-up, `features/passwords/sign-up-link` | provider, pending password | records | each |
 * | forgotten password, `features/passwords/reset-link` | provider, user, email address, password, security stamp | records | the newest of the user |
 *
 * The link of an invitation is in `features/members/admission`: it ends together with changes of the organization.
 *
 * Only hashes of a link are stored. Only the email contains its token.
 */

import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'
import { randomText } from '../crypto/random.js'
import { type SealPurpose, seal, unseal } from '../crypto/seal.js'
import { AdapterError, Verification } from '../errors.js'
import type { PasswordAttempt, passwordAttemptsTable } from '../features/passwords/description.js'
import { requireStore } from '../store/guard.js'
import type { Records } from '../types/records.js'

/** A link, and the place that keeps its hash. */
export interface Link<P> {
  /** One hash for each secret of the configuration, over the token and all that it is bound to. */
  readonly hashes: readonly string[]
  readonly place: P
}

/** A place that keeps links. */
export interface LinkStore<Kept extends Expiring = Expiring> {
  /** Keeps a link. If only the newest is valid, earlier ones are removed. */
  keep(hash: string, expires: Date): Promise<void>
  /** Returns the link with one of these hashes, and changes nothing. */
  peek(hashes: readonly string[]): Promise<Kept | undefined>
  /** Removes the link with one of these hashes, and returns it. At most one of several concurrent calls gets it. */
  take(hashes: readonly string[]): Promise<Kept | undefined>
}

interface Expiring {
  readonly expires: Date
}

/** Keeps a new link. @param lifetime Seconds. */
export async function createLink({ hashes: [hash = ''], place }: Link<Pick<LinkStore, 'keep'>>, lifetime: number) {
  const expires = new Date(Date.now() + lifetime * 1000)
  await place.keep(hash, expires)
  return { expires, lifetime }
}

/**
 * Returns a link that is still valid, and changes nothing, because mail scanners open links.
 *
 * @throws {@link Verification} for a link that was used, replaced or never sent, or has expired.
 */
export async function checkLink<Kept extends Expiring>({ hashes, place }: Link<LinkStore<Kept>>): Promise<Kept> {
  return assertValidLink(await place.peek(hashes))
}

/**
 * Uses a link up. Exactly one of several concurrent calls succeeds. @throws {@link Verification} as {@link checkLink}
 * does.
 */
export async function spendLink({ hashes, place }: Link<Pick<LinkStore, 'take'>>): Promise<void> {
  assertValidLink(await place.take(hashes))
}

function assertValidLink<Kept extends Expiring>(kept: Kept | undefined): Kept {
  if (!kept) throw new Verification('There is no such link: it was used, replaced by a newer one, or never sent.')
  if (!isCurrent(kept)) throw new Verification('The link has expired.')
  return kept
}

/** Checks whether a link has not expired. */
export function isCurrent({ expires }: Expiring): boolean {
  return expires.getTime() > Date.now()
}

/* Links with data. */

/** The data of a link, with its random secret and its provider. */
export type Sealed<Facts> = Facts & { readonly id: string; readonly provider: string }

/**
 * Links with data in their token. It is sealed, because a mistyped email address belongs to a stranger, who must not
 * read the data.
 */
export class SealedLinks<Facts, Provider extends { readonly id: string }, P extends Pick<LinkStore, 'keep'>> {
  constructor(
    private readonly purpose: Extract<SealPurpose, 'email-change' | 'password-reset'>,
    private readonly linkOf: (config: ResolvedConfig, provider: Provider, facts: Sealed<Facts>) => Link<P>,
  ) {}

  /** Creates a link. @param lifetime Seconds. */
  async create(config: ResolvedConfig, provider: Provider, facts: Facts, lifetime: number) {
    const sealed: Sealed<Facts> = { ...facts, id: randomText(32), provider: provider.id }
    const end = await createLink(this.linkOf(config, provider, sealed), lifetime)
    const token = await seal(this.purpose, { ...sealed }, { secrets: config.secrets, maxAge: lifetime })
    return { ...end, token }
  }

  /** Opens the token of a link, without checking the link. @throws {@link Verification} */
  async open(config: ResolvedConfig, provider: Provider, token: unknown) {
    const payload = typeof token === 'string' ? await unseal(this.purpose, token, config.secrets) : null
    if (payload?.provider !== provider.id) throw new Verification('The link is too old, incomplete, or was changed.')
    const facts = payload as unknown as Sealed<Facts>
    return { token: String(token), facts, link: this.linkOf(config, provider, facts) }
  }
}

/* Places. */

// The places that keep single-use links: verification tokens of the adapter, and records.

/**
 * Returns the place of an identifier among the verification tokens. Only the newest link is valid. Adapters have no
 * method that only reads a token, so a link is checked when it is spent.
 */
export function verificationTokens(
  config: ResolvedConfig,
  { id }: { readonly id: string },
  identifier: string,
): Omit<LinkStore, 'peek'> {
  const store = requireStore(config)
  const newest = newestHashesOf(config.memory)
  const name = shortHash(JSON.stringify([id, identifier]))
  const endAll = async () => store.abilities.deleteTokens && store.deleteVerificationTokens(identifier)
  return {
    async keep(hash, expires) {
      await endAll()
      await store.createVerificationToken({ identifier, token: hash, expires })
      newest.set(name, hash)
    },
    async take(hashes) {
      const known = newest.get(name)
      for (const hash of hashes) {
        // If the adapter cannot delete older tokens, this process rejects those that it has replaced.
        if (known !== undefined && known !== hash && !store.abilities.deleteTokens) continue
        const used = await store.useVerificationToken({ identifier, token: hash })
        if (!used || used.identifier !== identifier || used.token !== hash) continue
        if (isCurrent(used)) await endAll()
        return used
      }
      return undefined
    },
  }
}

/** Returns the identifier of links that change a user's email address. It is no address, so no sign-in has it. */
export function emailChangeIdentifier(userId: string): string {
  return `change-email:${shortHash(userId)}`
}

/** The newest token's hash, by provider and identifier. */
const newestHashesOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(10_000))

/** The tries of a new link to replace the previous one, because several may be sent at once. */
const mostTries = 8

/**
 * Returns a place among the records.
 *
 * With a `key` it is one record, in which only the newest link is valid. Without a `key` each link has a record of its
 * own, under its hash.
 *
 * @param record The rest of a new record.
 */
export function linkRecords(
  records: Records<typeof passwordAttemptsTable>,
  { key, identifier = '', data }: { key?: string } & Partial<PasswordAttempt> = {},
): LinkStore<PasswordAttempt> {
  const fits = (hashes: readonly string[], found: PasswordAttempt) =>
    hashes.includes(key === undefined ? found.tokenHash : found.data)
  const peek = async (hashes: readonly string[]) => {
    for (const tokenHash of key === undefined ? hashes : [key]) {
      const found = await records.find({ tokenHash })
      if (found && fits(hashes, found)) return found
    }
    return undefined
  }
  return {
    async keep(hash, expires) {
      const record = { tokenHash: key ?? hash, identifier, data: data ?? hash, expires }
      for (let tries = 0; tries < mostTries; tries++) {
        if (key !== undefined) await records.take(record)
        if (await records.write(record, 0)) return
      }
      throw new AdapterError('A link could not be stored: other links replaced it each time. Try again.', {
        method: 'write',
      })
    },
    peek,
    async take(hashes) {
      const found = await peek(hashes)
      const taken = found && (await records.take(found))
      if (!taken || fits(hashes, taken)) return taken ?? undefined
      // A newer link was stored between the two calls. It stays valid, unless another one has replaced it in the
      // meantime.
      await records.write(taken, 0).catch(() => undefined)
      return undefined
    },
  }
}
