/** `auth.users.list`: pages of users. */
import { comparedStart } from '../base/compared-start.js'
import { isRecord } from '../base/guards.js'
import type { AdapterStore, ResolvedConfig } from '../contracts/index.js'
import { seal, unseal } from '../crypto/seal.js'
import { InvalidRequest, MissingAdapterMethods } from '../errors.js'
import type { AnyCall } from '../functions/run.js'
import type { AdapterUser, AdapterUserQuery } from '../types/adapter.js'
import type { UserPage, UserQuery } from '../types/users.js'
import { requireUserStore } from './user-columns.js'

const defaultLimit = 50
const maxLimit = 200
/** Characters of the searched text. */
const maxSearchLength = 100
/** Seconds. */
const cursorLifetime = 24 * 60 * 60

type Part = AdapterUserQuery['part']

/** The place at which a page begins. */
interface Position {
  readonly part: Part
  readonly after?: NonNullable<AdapterUserQuery['after']>
}

/** A query, checked. */
interface CheckedQuery {
  readonly search: string
  readonly emailVerified: boolean | undefined
  readonly limit: number
}

/** Returns a page of users. @throws {@link InvalidRequest} for an invalid query. */
export async function listUsers({ auth }: AnyCall, query: UserQuery = {}): Promise<UserPage> {
  const { config } = auth
  const store = requireUserStore(config, 'users.list')
  if (!store.abilities.listUsers) {
    throw new MissingAdapterMethods(
      'The adapter has no method `listUsers`, which `users.list` needs. Use `sqlAdapter` or `memoryAdapter`, or add the method to the adapter.',
      { method: 'listUsers' },
    )
  }
  const checked = checkQuery(query)
  const begin = await readCursor(config, checked, query.cursor)
  const found = await readPage(store, checked, begin)
  const page = found.slice(0, checked.limit)
  const last = page.at(-1)
  const disabled = await config.session.revocation?.listDisabled(page.map(({ user }) => user.id))
  return {
    users: page.map(({ user }) => ({ user, disabled: disabled?.has(user.id) ?? false })),
    next: last && found.length > checked.limit ? await sealCursor(config, checked, last) : null,
  }
}

/** A user with the part of the list in which it was found. */
interface FoundUser {
  readonly part: Part
  readonly user: AdapterUser
}

/** Reads one user more than the page has, to know whether there is a next page. */
async function readPage(
  store: AdapterStore,
  { search, emailVerified, limit }: CheckedQuery,
  begin: Position | undefined,
): Promise<FoundUser[]> {
  const parts: readonly Part[] = search === '' ? ['email', 'id'] : ['email', 'name']
  const found: FoundUser[] = []
  for (const part of begin ? parts.slice(parts.indexOf(begin.part)) : parts) {
    // Without an address, none is verified.
    if (part === 'id' && emailVerified) continue
    const users = await store.listUsers({
      part,
      prefix: search,
      limit: limit + 1 - found.length,
      ...(emailVerified !== undefined && { emailVerified }),
      ...(begin?.part === part && begin.after && { after: begin.after }),
    })
    found.push(...users.map((user) => ({ part, user })))
    if (found.length > limit) break
  }
  return found
}

function checkQuery(query: UserQuery): CheckedQuery {
  if (!isRecord(query)) throw new TypeError('The query of `users.list` is not an object. Pass `{ search, cursor }`.')
  const { search = '', emailVerified, limit = defaultLimit }: UserQuery = query
  if (typeof search !== 'string')
    throw new InvalidRequest('`search` of `users.list` is not text. Send the field once, as text.')
  const trimmed = search.trim()
  if (trimmed.length > maxSearchLength)
    throw new InvalidRequest(`\`search\` has ${trimmed.length} characters. Use at most ${maxSearchLength}.`)
  if (emailVerified !== undefined && typeof emailVerified !== 'boolean')
    throw new InvalidRequest('`emailVerified` of `users.list` is not a boolean. Use `true` or `false`, or omit it.')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > maxLimit)
    throw new InvalidRequest(`\`limit\` of \`users.list\` is out of range. Use a whole number from 1 to ${maxLimit}.`)
  return { search: trimmed, emailVerified, limit }
}

/* ---- cursors ---------------------------------------------------------------------------------------------------- */

// A cursor is encrypted, because URLs are logged and it contains an email address. It belongs to one query, so that a
// changed one cannot begin elsewhere.

function sealCursor(config: ResolvedConfig, query: CheckedQuery, { part, user }: FoundUser): Promise<string> {
  const value = part === 'id' ? '' : comparedStart(user[part])
  const payload = { of: queryKeyOf(query), part, id: user.id, value }
  return seal('user-list', payload, { secrets: config.secrets, maxAge: cursorLifetime })
}

async function readCursor(
  { secrets }: ResolvedConfig,
  query: CheckedQuery,
  cursor: unknown,
): Promise<Position | undefined> {
  if (cursor === undefined || cursor === null || cursor === '') return undefined
  const opened = typeof cursor === 'string' ? await unseal('user-list', cursor, secrets) : null
  const position = opened && toPosition(opened)
  if (!position)
    throw new InvalidRequest('The `cursor` of `users.list` is invalid or expired. Begin at the first page.')
  if (opened.of !== queryKeyOf(query)) {
    throw new InvalidRequest(
      'The `cursor` of `users.list` belongs to another `search` or `emailVerified`. Send the same values, or begin at the first page.',
    )
  }
  return position
}

function queryKeyOf({ search, emailVerified }: CheckedQuery): string {
  return JSON.stringify([search.toLowerCase(), emailVerified ?? null])
}

function toPosition({ part, id, value }: Record<string, unknown>): Position | undefined {
  if (part !== 'email' && part !== 'name' && part !== 'id') return undefined
  if (typeof id !== 'string' || typeof value !== 'string') return undefined
  return { part, after: { id, value } }
}
