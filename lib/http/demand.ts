/** What a route wants of how a person was authenticated: asked of a session, and carried from page to page in the query. */
import type { Authentication } from '../types/config.js'

/** What a guard wants. */
export interface Demand {
  /** 2: two factors. */
  readonly aal?: 2 | undefined
  /** Seconds since they proved it. */
  readonly maxAge?: number | undefined
  /** One of these methods. */
  readonly amr?: readonly string[] | undefined
}

/** Whether a session has what is wanted. What is not known counts as not there. */
export function meets({ aal, amr = [], auth_time: since }: Readonly<Authentication>, demand: Demand): boolean {
  if (demand.aal === 2 && aal !== 2) return false
  if (demand.amr && !demand.amr.some((method) => amr.includes(method))) return false
  return demand.maxAge === undefined || (since !== undefined && Date.now() / 1000 - since <= demand.maxAge)
}

/* ---- in the query --------------------------------------------------------------------------------------------- */

const names = ['aal', 'max_age', 'amr'] as const

type DemandParams = { [name in (typeof names)[number]]?: string | undefined }

/** Parameters that say it. */
export function demandParams({ aal, maxAge, amr }: Demand): DemandParams {
  return {
    ...(aal && { aal: String(aal) }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(amr && { amr: amr.join(' ') }),
  }
}

/** The parameters as they came, for the next page. */
export function keptDemand(query: URLSearchParams): DemandParams {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]))
}

/** Whether a query says what is wanted. */
export function hasDemand(query: URLSearchParams): boolean {
  return names.some((name) => query.has(name))
}

/** What a query wants. It is anybody's: the guard looks for itself when the person comes back. */
export function demandIn(query: URLSearchParams): Demand {
  const [seconds, methods] = [query.get('max_age'), query.get('amr')?.split(' ').filter(Boolean) ?? []]
  return {
    aal: query.get('aal') === '2' ? 2 : undefined,
    maxAge: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    amr: methods.length > 0 ? methods : undefined,
  }
}
