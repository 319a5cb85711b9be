/**
 * The merging of a provider's object: the developer's options over its defaults, endpoints as objects, URLs with
 * values.
 */

import { definedOnly, isRecord } from '../base/guards.js'
import type { Options } from './reject-option.js'

/**
 * Returns the provider with the options merged over it. Endpoints become objects first, so that both are merged. An
 * endpoint that the developer sets as text replaces the provider's URL and parameters.
 */
export function mergeProvider(provider: Options, options: Options): Record<string, unknown> {
  return mergeOptions(
    withEndpointObjects(provider, (name) => withoutReplaced(toEndpointObject(provider[name]), options[name])),
    withEndpointObjects(options, (name) => toEndpointObject(options[name])),
  )
}

function withEndpointObjects(side: Options, endpointOf: (name: string) => unknown): Options {
  const authorization = withQueryAsParams(endpointOf('authorization'))
  return definedOnly({ ...side, authorization, token: endpointOf('token'), userinfo: endpointOf('userinfo') })
}

function toEndpointObject(endpoint: unknown): unknown {
  return typeof endpoint === 'string' ? { url: endpoint } : endpoint
}

/** Returns the parts of an endpoint that another URL does not replace. */
function withoutReplaced(endpoint: unknown, override: unknown): unknown {
  if (!isPlainRecord(endpoint)) return endpoint
  const { url, params, ...rest } = endpoint
  if (typeof override === 'string') return rest
  return isPlainRecord(override) && override.url !== undefined ? definedOnly({ params, ...rest }) : endpoint
}

/**
 * Moves the parameters of the URL's query to `params`, so that each is visible and sent once (RFC 6749 §3.1). `params`
 * has precedence. Repeated names stay in the query, and so does a query with placeholders.
 */
function withQueryAsParams(endpoint: unknown): unknown {
  if (!isPlainRecord(endpoint) || typeof endpoint.url !== 'string') return endpoint
  const { url, params = {} } = endpoint
  const [address = '', query = ''] = url.replace(/#.*/, '').split(/\?(.*)/)
  if (query === '' || query.includes('{') || !isPlainRecord(params)) return endpoint
  const kept = new URLSearchParams(query)
  const lifted: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (kept.getAll(name).length !== 1) continue
    kept.delete(name)
    lifted[name] = value
  }
  return { ...endpoint, url: kept.size > 0 ? `${address}?${kept}` : address, params: mergeOptions(lifted, params) }
}

/**
 * Returns a new object. Records are merged key by key; all other values (also arrays and functions) replace;
 * `undefined` is ignored. Only own properties are read; a `__proto__` key from JSON is ignored.
 */
export function mergeOptions(
  defaults: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined || key === '__proto__') continue
    const present = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] = isPlainRecord(present) && isPlainRecord(value) ? mergeOptions(present, value) : value
  }
  return merged
}

/** Checks whether a value is an object literal: not an array, a date, a key or an instance of a class. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * The placeholders `{issuer}` and `{clientId}` in a provider's URLs. The catalogue does not know the values of the
 * environment.
 */
type UrlPlaceholders = Readonly<Record<'issuer' | 'clientId', unknown>>

/**
 * Returns the provider with the placeholders replaced. A URL with a missing value is removed, so that the error names
 * the missing option.
 */
export function replacePlaceholders<P extends Options>(provider: P, fromEnv: { readonly clientId?: string }): P {
  const client = isRecord(provider.client) ? provider.client : {}
  const clientId = provider.clientId ?? client.client_id ?? fromEnv.clientId
  const issuer = replaceInUrl(provider.issuer, { issuer: undefined, clientId })
  const values = { issuer: typeof issuer === 'string' ? issuer.replace(/\/$/, '') : issuer, clientId }
  const filled = Object.entries(provider).map(([name, value]) => {
    if (name === 'issuer') return [name, issuer]
    if (['wellKnown', 'jwks_endpoint'].includes(name)) return [name, replaceInUrl(value, values)]
    const isEndpoint = ['authorization', 'token', 'userinfo'].includes(name) && isPlainRecord(value)
    return [name, isEndpoint && 'url' in value ? { ...value, url: replaceInUrl(value.url, values) } : value]
  })
  return { ...provider, ...Object.fromEntries(filled) }
}

function replaceInUrl(url: unknown, values: UrlPlaceholders): unknown {
  if (typeof url !== 'string') return url
  let filled = url
  for (const [name, value] of Object.entries(values)) {
    if (!filled.includes(`{${name}}`)) continue
    if (typeof value !== 'string') return undefined
    // An issuer is already a URL; an id becomes a part of one.
    filled = filled.replaceAll(`{${name}}`, () => (name === 'issuer' ? value : encodeURIComponent(value)))
  }
  return filled
}
