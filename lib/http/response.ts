/** What we use of a response that is not ours to answer: cookies are added, and whatever is there stays. */

/** A Node or Express response, as far as headers go. */
export interface WritableResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | readonly string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
}

/** Adds `Set-Cookie` headers. A response with a person's cookie is for no shared cache (RFC 9111 §5.2.2.7). */
export function addCookies(response: WritableResponse, cookies: Iterable<string>): void {
  response.setHeader('set-cookie', [...headerValues(response, 'set-cookie'), ...cookies])
  response.setHeader('cache-control', 'private, no-store')
  const vary = headerValues(response, 'vary').join(', ')
  if (!/\*|\bcookie\b/i.test(vary)) response.setHeader('vary', vary ? `${vary}, Cookie` : 'Cookie')
}

/** The values of a response's header. */
export function headerValues(response: WritableResponse, name: string): readonly string[] {
  const value = response.getHeader(name)
  if (value === undefined) return []
  return typeof value === 'object' ? value : [String(value)]
}
