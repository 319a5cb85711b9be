/** `{issuer}` and `{clientId}` in a provider's URLs: an entry of the catalogue cannot know what the environment will say. */
import { isRecord } from '../base/guards.js'
import { isPlainRecord } from './merge.js'
import type { Options } from './validate.js'

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
