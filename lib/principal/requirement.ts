/** The authentication that a route requires: checked against a session, and carried from page to page in the query. */

/** The requirement of a guard. */
export interface AuthenticationRequirement {
  /** 2: two factors. */
  readonly aal?: 2 | undefined
  /** Seconds since they were proved. */
  readonly maxAge?: number | undefined
  /** One of these methods. */
  readonly amr?: readonly string[] | undefined
}

/** Whether two factors are required. */
export function wantsTwo({ aal }: AuthenticationRequirement): boolean {
  return aal === 2
}

const names = ['aal', 'max_age', 'amr'] as const

type RequirementParams = { [name in (typeof names)[number]]?: string | undefined }

/** Returns the query parameters of a requirement. */
export function requirementParams({ aal, maxAge, amr }: AuthenticationRequirement): RequirementParams {
  return {
    ...(aal && { aal: String(aal) }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(amr && { amr: amr.join(' ') }),
  }
}

/** Returns the parameters as they came, for the next page. */
export function keptRequirement(query: URLSearchParams): RequirementParams {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]))
}

/** Checks whether a query names a requirement. */
export function hasRequirement(query: URLSearchParams): boolean {
  return names.some((name) => query.has(name))
}

/** Reads the requirement of a query. Anybody can write it: the guard checks the session again when the user comes back. */
export function requirementIn(query: URLSearchParams): AuthenticationRequirement {
  const [seconds, methods] = [query.get('max_age'), query.get('amr')?.split(' ').filter(Boolean) ?? []]
  return {
    aal: query.get('aal') === '2' ? 2 : undefined,
    maxAge: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    amr: methods.length > 0 ? methods : undefined,
  }
}
