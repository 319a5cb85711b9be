/** The memberships of users, by the functions of the application. Each answer is checked. */
import { isRecord } from '../../base/guards.js'
import { catchMaybePromise, mapMaybePromise } from '../../base/maybe-promise.js'
import { BoundedMap, perOwner } from '../../base/memory.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import { guardedCalls } from '../../store/guard.js'
import { isInvalidColumnValue } from '../../store/redacted-error.js'
import type { Awaitable } from '../../types/identity.js'
import type { OrganizationEntry, OrganizationMember } from './types.js'

/** Users whose memberships are cached, and organizations of each. */
const maxUsers = 10_000
const maxOrganizations = 100

/** A membership, and the time in milliseconds since the epoch until which it is used. */
interface CachedMember {
  readonly member: OrganizationMember
  readonly until: number
}

/** The options of a query. */
interface MemberQuery {
  /** The reading of the request's session, for which each organization is queried once. */
  readonly reading?: object | undefined
  /** `true` if cached memberships are not used. */
  readonly isFresh: boolean
}

/** The memberships by the functions of a configuration. */
export class Memberships {
  readonly #organizations: ResolvedOrganizations
  readonly #call: ReturnType<typeof guardedCalls<ResolvedOrganizations['options']>>
  readonly #cached = new BoundedMap<string, BoundedMap<unknown, CachedMember>>(maxUsers)
  readonly #queried = perOwner((_reading: object) => new Map<string, Awaitable<OrganizationMember | null>>())

  constructor(organizations: ResolvedOrganizations) {
    const { options, timeout } = organizations
    this.#organizations = organizations
    this.#call = guardedCalls(options, { keeps: 'memberships', timeout })
  }

  /**
   * Returns the membership of a user; `null` if the user is no member, or there is no such organization.
   *
   * @param id A value that a client may have sent.
   * @throws {@link AdapterError} if the application's function fails, or returns something else.
   */
  memberOf(userId: string, id: unknown, { reading, isFresh }: MemberQuery): Awaitable<OrganizationMember | null> {
    // First, because a request with a cached answer needs no memory of its own.
    const cached = isFresh ? undefined : this.#cached.get(userId)?.get(id)
    if (cached && cached.until > Date.now()) return cached.member
    if (!isOrganizationId(id)) return null
    const queried = reading && this.#queried(reading)
    const known = queried?.get(id)
    if (known !== undefined) return known
    const member = this.#query(userId, id)
    queried?.set(id, member)
    return member
  }

  /**
   * Checks whether a user is a member with a configured role. Guards reject members with other roles.
   *
   * @throws {@link AdapterError} as {@link memberOf} does.
   */
  isMember(userId: string, id: unknown, query: MemberQuery): Awaitable<boolean> {
    const { roles } = this.#organizations
    return mapMaybePromise(this.memberOf(userId, id, query), (member) => member !== null && roles.has(member.role))
  }

  /** Forgets the cached memberships of a user. An answer that is on its way is not cached. */
  forget(userId: string): void {
    this.#cached.delete(userId)
  }

  /** Forgets the cached memberships of all users. */
  forgetAll(): void {
    this.#cached.clear()
  }

  /** Returns the organizations of a user. @throws {@link AdapterError} as {@link memberOf} does. */
  async list(userId: string): Promise<readonly OrganizationEntry[]> {
    return this.#call('list', [userId], readEntries)
  }

  #query(userId: string, id: string): Awaitable<OrganizationMember | null> {
    const { cacheFor } = this.#organizations
    // Taken before the call, so that `forget` also drops an answer that is on its way.
    const cache = cacheFor > 0 ? this.#cacheOf(userId) : undefined
    return mapMaybePromise(this.#callMembership(userId, id), (role) => {
      cache?.delete(id)
      if (role === null) return null
      const member = Object.freeze({ id, role })
      cache?.set(id, { member, until: Date.now() + cacheFor })
      return member
    })
  }

  /** Calls the function. PostgreSQL rejects other texts than UUIDs in a column of UUIDs: no organization has such an id. */
  #callMembership(userId: string, id: string): Awaitable<string | null> {
    return catchMaybePromise(
      () => this.#call('membership', [userId, id], readRole),
      (error) => {
        if (error instanceof AdapterError && isInvalidColumnValue(error.cause?.err)) return null
        throw error
      },
    )
  }

  #cacheOf(userId: string): BoundedMap<unknown, CachedMember> {
    const known = this.#cached.get(userId) ?? new BoundedMap(maxOrganizations)
    this.#cached.set(userId, known)
    return known
  }
}

/** Returns the memberships of a configuration. */
export const membershipsOf = perOwner((organizations: ResolvedOrganizations) => new Memberships(organizations))

/** Checks whether a value can be the id of an organization. Clients send ids in paths, queries and forms. */
function isOrganizationId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s\p{C}]{1,100}$/u.test(value)
}

function readRole(answer: unknown): string | null {
  if (answer === null) return null
  if (isRecord(answer) && typeof answer.role === 'string') return answer.role
  throw new TypeError('It must return { role } with a text, or null.')
}

function readEntries(answer: unknown): readonly OrganizationEntry[] {
  if (Array.isArray(answer) && answer.every(isEntry)) return answer.map(({ id, name }) => ({ id, name }))
  throw new TypeError('It must return a list of { id, name }, with texts. An id has no spaces.')
}

function isEntry(value: unknown): value is OrganizationEntry {
  return isRecord(value) && isOrganizationId(value.id) && typeof value.name === 'string' && value.name.trim() !== ''
}
