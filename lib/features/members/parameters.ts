/** The parameters of the functions, checked. They may come from a form. */
import type { ResolvedConfig } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import type { Outcome } from '../../types/outcome.js'
import type { MemberPageQuery, NewOrganization, OrganizationUpdate } from './types.js'

/** The most characters of a name. */
const maxNameLength = 60
/** The default and the highest number of members in a page. */
const defaultLimit = 100
const maxLimit = 500

/** Slugs that could be mistaken for pages of the application. */
const reservedSlugs = new Set(
  'admin administrator api app assets auth billing create dashboard docs help invitation join login logout new null organization organizations public root security settings signin signout signup static status support system undefined user users www'.split(
    ' ',
  ),
)

const badName = { ok: false, reason: 'name' } as const
const badSlug = { ok: false, reason: 'slug' } as const

/** Returns name and slug of a new organization, or the one that is not allowed. Users type both. @throws {@link InvalidRequest} for another type. */
export function readNewOrganization(
  given: NewOrganization,
): Outcome<'name' | 'slug', { readonly name: string; readonly slug: string | undefined }> {
  const { name: typed, slug }: Partial<Record<keyof NewOrganization, unknown>> = given ?? {}
  const name = readName(typed)
  if (name === null) return badName
  if (slug !== undefined && !isSlug(slug)) return badSlug
  return { ok: true, name, slug }
}

/** Returns the new values of an organization, or the one that is not allowed. @throws {@link InvalidRequest} for another type. */
export function readUpdate(
  given: OrganizationUpdate,
): Outcome<'name' | 'slug', Pick<OrganizationUpdate, 'name' | 'slug'>> {
  const { name: typed, slug }: Partial<Record<keyof OrganizationUpdate, unknown>> = given
  const name = typed === undefined ? undefined : readName(typed)
  if (name === null) return badName
  if (slug !== undefined && slug !== null && !isSlug(slug)) return badSlug
  return { ok: true, name, slug }
}

/**
 * Returns a name as it is stored; `null` for one that is not allowed. Emails show the name, so it has no characters that change the text
 * around it, and nothing that mail programs turn into a link.
 */
function readName(typed: unknown): string | null {
  if (typeof typed !== 'string') throw new InvalidRequest('`name` must be a string.')
  const name = typed.normalize('NFC').trim()
  return isName(name) ? name : null
}

function isName(name: string): boolean {
  // Without characters that are not shown: they could hide a web address, and a name of nothing else is empty.
  const shown = name.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '').trim()
  if (shown === '' || [...name].length > maxNameLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return false
  return !/[/\\@<>]|:\S|www\./iu.test(shown) && !domains.test(shown)
}

/** Domains in any script, whose letters may have marks. Before Latin letters, browsers read other full stops as dots. */
const domains = /[\p{L}\p{N}\p{M}](?:\.\p{L}[\p{L}\p{M}]|[\u2024\u3002\ufe52\uff0e\uff61]\p{Script=Latin}{2})/u

function isSlug(slug: unknown): slug is string {
  if (typeof slug !== 'string') throw new InvalidRequest('`slug` must be a string.')
  if (slug.length < 2 || slug.length > 40 || reservedSlugs.has(slug)) return false
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)
}

/** Returns the query. @throws {@link InvalidRequest} */
export function readPageQuery(given: MemberPageQuery = {}): { after: string | undefined; limit: number } {
  const { after, limit = defaultLimit }: Partial<Record<keyof MemberPageQuery, unknown>> = given
  if (after !== undefined && !isId(after)) throw new InvalidRequest('`after` must be the `next` of a page.')
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1 || limit > maxLimit)
    throw new InvalidRequest(`\`limit\` must be a whole number from 1 to ${maxLimit}.`)
  return { after, limit }
}

/** Returns an id. @throws {@link InvalidRequest} for a value that is none. */
export function readId(name: string, value: unknown): string {
  if (isId(value)) return value
  throw new InvalidRequest(`\`${name}\` must be an id: 1 to 255 characters without spaces.`)
}

/** Returns a role of the configuration. @throws {@link InvalidRequest} */
export function readRole({ organizations }: ResolvedConfig, value: unknown): string {
  if (typeof value === 'string' && organizations?.roles.has(value)) return value
  throw new InvalidRequest('`role` must be a role of `organizations.roles`.')
}

/** Returns the source of a membership. @throws {@link InvalidRequest} */
export function readSource(value: unknown = 'application'): string {
  if (typeof value === 'string' && /^[\w.:-]{1,40}$/.test(value)) return value
  throw new InvalidRequest('`source` must be 1 to 40 characters of `A-Z a-z 0-9 _ . : -`.')
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s\p{C}]{1,255}$/u.test(value)
}
