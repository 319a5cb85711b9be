/** Endpoints as a provider and its developer write them, made objects: so that both count, and nothing is sent twice. */
import { isPlainRecord, mergeOptions } from './merge.js'
import type { Options } from './validate.js'

/**
 * The provider, and the options to be merged over it, with objects for endpoints. A text of the developer's is a whole
 * authorization request of theirs: the provider's own parameters do not go with another URL.
 */
export function withEndpoints(provider: Options, options: Options): [provider: Options, options: Options] {
  return [
    withObjects(provider, (name) => withoutReplaced(toObject(provider[name]), options[name])),
    withObjects(options, (name) => toObject(options[name])),
  ]
}

function withObjects(side: Options, endpointOf: (name: string) => unknown): Options {
  const authorization = withLiftedQuery(endpointOf('authorization'))
  return present({ ...side, authorization, token: endpointOf('token'), userinfo: endpointOf('userinfo') })
}

function toObject(endpoint: unknown): unknown {
  return typeof endpoint === 'string' ? { url: endpoint } : endpoint
}

/** What another URL does not replace. */
function withoutReplaced(endpoint: unknown, override: unknown): unknown {
  if (!isPlainRecord(endpoint)) return endpoint
  const { url, params, ...rest } = endpoint
  if (typeof override === 'string') return rest
  return isPlainRecord(override) && override.url !== undefined ? present({ params, ...rest }) : endpoint
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

function present(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
