/** A provider's object as one: the developer's options merged over it, endpoints as objects, URLs filled in. */

import { definedOnly, isRecord } from '../base/guards.js'
import type { Options } from './refusal.js'

/**
 * The provider with the options merged over it. Endpoints are made objects first, so that both count. A text of the
 * developer's is a whole authorization request of theirs: the provider's own parameters do not go with another URL.
 */
export function mergeProvider(provider: Options, options: Options): Record<string, unknown> {
  return mergeOptions(
    withObjects(provider, (name) => withoutReplaced(toObject(provider[name]), options[name])),
    withObjects(options, (name) => toObject(options[name])),
  )
}

function withObjects(side: Options, endpointOf: (name: string) => unknown): Options {
  const authorization = withLiftedQuery(endpointOf('authorization'))
  return definedOnly({ ...side, authorization, token: endpointOf('token'), userinfo: endpointOf('userinfo') })
}

function toObject(endpoint: unknown): unknown {
  return typeof endpoint === 'string' ? { url: endpoint } : endpoint
}

/** What another URL does not replace. */
function withoutReplaced(endpoint: unknown, override: unknown): unknown {
  if (!isPlainRecord(endpoint)) return endpoint
  const { url, params, ...rest } = endpoint
  if (typeof override === 'string') return rest
  return isPlainRecord(override) && override.url !== undefined ? definedOnly({ params, ...rest }) : endpoint
}

/**
 * The parameters of the URL's query as `params`, where they can be seen and are sent once (RFC 6749 §3.1); what `params` says
 * itself wins. A name that comes several times stays, and so does a query with places to fill in.
 */
function withLiftedQuery(endpoint: unknown): unknown {
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
 * A new object: records are merged key by key, everything else (arrays and functions too) replaces, `undefined` does
 * nothing. Own properties only; a `__proto__` key from JSON stays a stranger.
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

/** A record written as a literal: not an array, a date, a key or another class's object. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** `{issuer}` and `{clientId}` in a provider's URLs: an entry of the catalogue cannot know what the environment will say. */
type Values = Readonly<Record<'issuer' | 'clientId', unknown>>

/**
 * The provider with those places filled in. An URL for which something is missing is left out: what is reported then is
 * the missing option, not an URL that nobody wrote.
 */
export function fillUrls<P extends Options>(provider: P, fromEnv: { readonly clientId?: string }): P {
  const client = isRecord(provider.client) ? provider.client : {}
  const clientId = provider.clientId ?? client.client_id ?? fromEnv.clientId
  const issuer = fill(provider.issuer, { issuer: undefined, clientId })
  const values = { issuer: typeof issuer === 'string' ? issuer.replace(/\/$/, '') : issuer, clientId }
  const filled = Object.entries(provider).map(([name, value]) => {
    if (name === 'issuer') return [name, issuer]
    if (['wellKnown', 'jwks_endpoint'].includes(name)) return [name, fill(value, values)]
    const isEndpoint = ['authorization', 'token', 'userinfo'].includes(name) && isPlainRecord(value)
    return [name, isEndpoint && 'url' in value ? { ...value, url: fill(value.url, values) } : value]
  })
  return { ...provider, ...Object.fromEntries(filled) }
}

function fill(url: unknown, values: Values): unknown {
  if (typeof url !== 'string') return url
  let filled = url
  for (const [name, value] of Object.entries(values)) {
    if (!filled.includes(`{${name}}`)) continue
    if (typeof value !== 'string') return undefined
    // An issuer is an URL already; an id becomes a part of one.
    filled = filled.replaceAll(`{${name}}`, () => (name === 'issuer' ? value : encodeURIComponent(value)))
  }
  return filled
}
