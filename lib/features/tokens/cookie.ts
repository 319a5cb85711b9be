/**
 * Provider tokens in a sealed cookie, for applications without a database. They are bound to a user and a session, and
 * invalid elsewhere.
 *
 * A request that was sent before the browser got the new cookie has the old one, whose refresh token may be used up.
 * And a provider may answer after our response was sent, when no cookie can be set. This process therefore remembers
 * for a day which value replaced another one, and sends the newest with the next response. Other processes do not know
 * it.
 */
import { isRecord } from '../../base/guards.js'
import { BoundedMap, KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import type { CookieContext, TokenHolder } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { sealPersistent, unsealPersistent } from '../../crypto/seal.js'
import { SessionTooLarge } from '../../errors.js'
import { isCookieOrChunkOf, presentedCookieNames, readChunked, splitChunks } from '../../http/chunks.js'
import { assertCookieBudget, chunkedSize } from '../../http/cookie-budget.js'
import type { ReservedCookie } from '../../http/cookies.js'
import type { AccountKey } from '../../types/adapter.js'
import type { NewRecord } from '../../types/records.js'
import type { RecordLease } from '../../types/store.js'
import type { providerTokensTable, StoredTokens } from './description.js'
import type { GuardedTokens } from './guard.js'
import type { KeptTokens, Sealer } from './seal.js'
import { idTokenSubjectOf } from './subject.js'

/** Characters of all cookies' values. */
const maxLength = 8 * 1024

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). Without its session it is invalid. */
const maxAge = 400 * 24 * 60 * 60

/** Milliseconds for which a replaced value is known, unless {@link maxReplacements} others were replaced since. */
const replacementLifetime = 24 * 60 * 60 * 1000
const maxReplacements = 10_000

/** Characters by which the next access token may be longer than this one. */
const growth = 256

/** The records as text inside the cookie, which is sealed as a whole. */
export const jsonSealer: Sealer = {
  async seal(tokens) {
    const { id_token: idToken, ...others } = tokens
    // The ID token takes most of the room, and is only needed for comparison with a refreshed one.
    return JSON.stringify(
      idToken === undefined ? others : { ...others, subject: idTokenSubjectOf(idToken) ?? others.subject },
    )
  },
  async open(sealed) {
    const tokens: unknown = JSON.parse(sealed)
    return isRecord(tokens) ? (tokens as KeptTokens) : null
  },
}

/** The other columns of a record whose size is measured. */
const emptyColumns = { version: 1, expiresAt: null, scope: null, needsConsent: false }

/** The replacements of values: the hash of the old value, and the new one, or `''` if it was cleared. */
const replacementsOf = perOwner(
  (_site: SiteMemory) => new BoundedMap<string, { value: string; at: number }>(maxReplacements),
)
const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())
/** The holder of the lease of an account's tokens, and its end by `performance.now()`. */
const leasesOf = perOwner((_site: SiteMemory) => new Map<string, { leaseId: string; end: number }>())

/** The records in a browser's cookie. Changes are written to the cookies of the context. */
export class CookieTokens implements GuardedTokens {
  readonly #context: CookieContext
  readonly #holder: TokenHolder
  /** The records of a rehearsal, which are not written. */
  #rehearsed: readonly StoredTokens[] | undefined

  constructor(context: CookieContext, holder: TokenHolder) {
    this.#context = context
    this.#holder = holder
  }

  /**
   * Begins with the records of the user in this browser, and keeps changes in memory. {@link assertBudget} checks
   * whether they would fit.
   */
  async rehearse(): Promise<this> {
    this.#rehearsed = (await this.#current(({ userId }) => userId === this.#holder.userId))?.rows ?? []
    return this
  }

  /**
   * Checks whether the records of a rehearsal fit beside the other cookies.
   *
   * @returns The bytes to reserve.
   * @throws {@link SessionTooLarge} {@link TooManyCookies}
   */
  async assertBudget(): Promise<ReservedCookie> {
    const rows = this.#rehearsed ?? []
    const name = this.#name
    const isReplaced = (each: string) => isCookieOrChunkOf(each, name)
    if (rows.length === 0) return { name, isReplaced, bytes: 0 }
    const value = await this.#seal(rows, { isRenewal: false })
    return { name, isReplaced, bytes: chunkedSize(name, value) }
  }

  async find(key: AccountKey): Promise<StoredTokens | null> {
    return (await this.#rows()).find((row) => hasAccountKey(row, key)) ?? null
  }

  async list(userId: string): Promise<readonly StoredTokens[]> {
    return (await this.#rows()).filter((row) => row.userId === userId)
  }

  write(row: NewRecord<typeof providerTokensTable>, previous: number): Promise<boolean> {
    return this.#change((rows) => {
      if ((rows.find((each) => hasAccountKey(each, row))?.version ?? 0) !== previous) return undefined
      return [...rows.filter((each) => !hasAccountKey(each, row)), { ...row, version: previous + 1 }]
    })
  }

  /** Takes a lease, in this process only. */
  async lease(key: AccountKey, { version, leaseId, seconds }: RecordLease): Promise<boolean> {
    const row = await this.find(key)
    const leases = leasesOf(this.#context.config.memory)
    const name = this.#leaseName(key)
    const known = leases.get(name)
    const isBusy = known !== undefined && known.leaseId !== leaseId && known.end > performance.now()
    if (isBusy || row?.version !== version) return false
    leases.set(name, { leaseId, end: performance.now() + seconds * 1000 })
    return true
  }

  async release(key: AccountKey, leaseId: string): Promise<void> {
    const leases = leasesOf(this.#context.config.memory)
    const name = this.#leaseName(key)
    if (leases.get(name)?.leaseId === leaseId) leases.delete(name)
  }

  async assertRoom(key: AccountKey, tokens: KeptTokens, purpose: 'connection' | 'renewal'): Promise<void> {
    const others = (await this.#rows()).filter((row) => !hasAccountKey(row, key))
    const { userId } = this.#holder
    const { access_token: token = '', refresh_token: refreshToken, ...rest } = tokens
    if (refreshToken === undefined) return
    // The refresh token may double in length, and the access token can be left out.
    const least = { ...rest, refresh_token: refreshToken + refreshToken }
    const all = { ...tokens, access_token: token.padEnd(token.length + growth) }
    const check = async (set: KeptTokens, verb: string) => {
      const sealed = await jsonSealer.seal(set, { ...key, userId })
      await this.#seal([...others, { ...emptyColumns, ...key, userId, sealed }], {
        verb,
        isRenewal: purpose === 'renewal',
      })
    }
    if (purpose === 'connection') {
      await check(tokens, 'take')
      await check(all, 'may take')
    }
    await check(least, 'may take')
  }

  #leaseName({ provider, providerAccountId }: AccountKey): string {
    const { userId, id } = this.#holder
    return JSON.stringify([userId, id, provider, providerAccountId])
  }

  /** Removes a record. All records of a cookie belong to one user. */
  async remove({ provider = '', providerAccountId = '' }: Partial<AccountKey>): Promise<number> {
    const key = { provider, providerAccountId }
    let count = 0
    await this.#change((rows) => {
      const others = rows.filter((each) => !hasAccountKey(each, key))
      count = rows.length - others.length
      return others
    })
    return count
  }

  /** Binds the user's tokens of an earlier session of this browser to this one. */
  async adopt(): Promise<void> {
    const value = await this.#current(({ userId }) => userId === this.#holder.userId)
    const rows = value?.rows ?? []
    await this.#put(rows, value?.value)
  }

  async #rows(): Promise<readonly StoredTokens[]> {
    if (this.#rehearsed) return this.#rehearsed
    const found = await this.#current()
    if (found && !readChunked(this.#context.cookies.received, this.#name).includes(found.value)) this.#set(found.value)
    return found?.rows ?? []
  }

  get #name(): string {
    return this.#context.cookiePolicy.tokens.name
  }

  #change(change: (rows: readonly StoredTokens[]) => readonly StoredTokens[] | undefined): Promise<boolean> {
    return locksOf(this.#context.config.memory).run(this.#holder.id, async () => {
      if (this.#rehearsed) {
        const next = change(this.#rehearsed)
        this.#rehearsed = next ?? this.#rehearsed
        return next !== undefined
      }
      const found = await this.#current()
      const rows = change(found?.rows ?? [])
      if (!rows) return false
      await this.#put(rows, found?.value)
      return true
    })
  }

  async #put(rows: readonly StoredTokens[], before: string | undefined): Promise<void> {
    const { config } = this.#context
    if (rows.length === 0) {
      if (before !== undefined) noteReplacement(config.memory, before, '')
      clearTokens(this.#context)
      return
    }
    const value = await this.#seal(rows)
    if (before !== undefined) noteReplacement(config.memory, before, value)
    this.#set(value)
  }

  /** Seals records. @throws {@link SessionTooLarge} {@link TooManyCookies} */
  async #seal(rows: readonly StoredTokens[], { verb = 'take', isRenewal = true } = {}): Promise<string> {
    const { userId, id: session } = this.#holder
    const { cookies, cookiePolicy, config } = this.#context
    const value = await sealPersistent('token-cookie', { userId, session, rows }, config.secrets)
    assertFits(value, rows, verb)
    assertCookieBudget(cookies, cookiePolicy, { name: this.#name, value, isRenewal })
    return value
  }

  #set(value: string): void {
    const { cookies, cookiePolicy, config } = this.#context
    const { name, options } = cookiePolicy.tokens
    const isStillValid = () => latestOf(config.memory, value) === value
    const chunks = splitChunks(name, value)
    const names = new Set(chunks.map(([chunk]) => chunk))
    cookies.withdraw((each) => isCookieOrChunkOf(each, name))
    for (const held of presentedCookieNames(cookies.received, name)) {
      if (!names.has(held)) cookies.clear({ name: held, options }, isStillValid)
    }
    const lasting = { ...options, maxAge, expires: new Date(Date.now() + maxAge * 1000) }
    for (const [chunk, part] of chunks) cookies.set({ name: chunk, options: lasting }, part, isStillValid)
  }

  /** Returns the newest value of this browser that is bound to the holder, with its records. */
  async #current(isMine = this.#isBound) {
    const { cookies, config } = this.#context
    for (const sent of readChunked(cookies.received, this.#name)) {
      const value = latestOf(config.memory, sent)
      const payload = value === '' ? null : await unsealPersistent('token-cookie', value, config.secrets)
      if (payload && isMine(payload)) return { value, rows: payload.rows as readonly StoredTokens[] }
    }
    // The cookie may have been set by this very response.
    return undefined
  }

  readonly #isBound = ({ userId, session }: Record<string, unknown>): boolean =>
    userId === this.#holder.userId && session === this.#holder.id
}

/** Clears the cookie in all its parts. Concurrent responses do not restore it. */
export function clearTokens({ cookies, cookiePolicy, config }: CookieContext): void {
  const { name, options } = cookiePolicy.tokens
  for (const value of readChunked(cookies.received, name))
    noteReplacement(config.memory, latestOf(config.memory, value), '')
  cookies.withdraw((each) => isCookieOrChunkOf(each, name))
  for (const presented of presentedCookieNames(cookies.received, name)) cookies.clear({ name: presented, options })
}

function noteReplacement(memory: SiteMemory, before: string, value: string): void {
  if (before !== '') replacementsOf(memory).set(shortHash(before), { value, at: Date.now() })
}

/** Returns the value that replaced another one, as far as known, otherwise the value itself. */
function latestOf(memory: SiteMemory, value: string): string {
  let latest = value
  for (let steps = 0; steps < 1000 && latest !== ''; steps++) {
    const next = replacementsOf(memory).get(shortHash(latest))
    if (!next || Date.now() - next.at > replacementLifetime) break
    latest = next.value
  }
  return latest
}

/**
 * Throws if a value is too long. @param verb `may take`: after a refresh. @throws {@link SessionTooLarge} with the
 * sizes of the tokens.
 */
function assertFits(value: string, rows: readonly StoredTokens[], verb: string): void {
  if (value.length <= maxLength) return
  const sizes = rows.map(({ provider, sealed }) => {
    const fields = Object.entries(JSON.parse(sealed) as Record<string, unknown>)
    return `${provider}: ${fields.map(([name, field]) => `${name} ${String(JSON.stringify(field)).length}`).join(', ')}`
  })
  throw new SessionTooLarge(
    `The provider tokens ${verb} ${value.length} characters; ${maxLength} fit into cookies (${sizes.join('; ')}). Set \`tokens.store\` to a store such as \`sqlStore(db)\`, or request fewer scopes.`,
  )
}

function hasAccountKey(row: AccountKey, key: AccountKey): boolean {
  return row.provider === key.provider && row.providerAccountId === key.providerAccountId
}
