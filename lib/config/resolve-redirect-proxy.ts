/** The redirect proxy's options: the proxy that this deployment borrows, and the origins that it lends to. */
import { InvalidConfiguration } from '../errors.js'
import { assertUrl, quote } from './validate.js'

/** The proxy's URL without a slash at the end: the full path up to where the library is mounted there. */
export function resolveProxyUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = assertUrl(name, value)
  if (url.search || url.hash || url.pathname === '/') {
    throw new InvalidConfiguration(
      `${quote(name)} must be the full URL of the routes there, such as "https://app.example.com/auth", without query.`,
    )
  }
  return url.href.replace(/\/$/, '')
}

/** Which origins answers are sent on to. A pattern stands for exactly one more label: `*` is no dot. */
export function resolveForwarding(value: unknown): (origin: string) => boolean {
  if (value === undefined) return () => false
  if (!Array.isArray(value)) {
    throw new InvalidConfiguration(`${quote('redirectProxyOrigins')} must be an array of origins.`)
  }
  const allowed = value.map((entry: unknown) => originPattern(entry))
  return (origin) => allowed.some((pattern) => pattern.test(origin))
}

function originPattern(entry: unknown): RegExp {
  const [before, after, ...more] = typeof entry === 'string' ? entry.split('://*.') : []
  const literal = after === undefined ? before : `${before}://${after}`
  if (
    typeof literal !== 'string' ||
    literal.includes('*') ||
    more.length > 0 ||
    !URL.canParse(literal) ||
    new URL(literal).origin !== literal
  ) {
    throw new InvalidConfiguration(
      `${quote('redirectProxyOrigins')} takes origins such as "https://preview.example.com" or "https://*.preview.example.com", without path.`,
    )
  }
  const { protocol, host } = new URL(literal)
  if (after !== undefined && !host.includes('.')) {
    throw new InvalidConfiguration(`${quote('redirectProxyOrigins')}: a pattern needs a domain of your own after "*.".`)
  }
  const label = after === undefined ? '' : '[a-z0-9-]+\\.'
  return new RegExp(`^${protocol}//${label}${host.replace(/[.[\]]/g, '\\$&')}$`)
}
