/** Where passkeys are valid: the relying party's domain and the origins of its pages. From the configuration only. */
import { isUrl } from '../base/url.js'
import type { ResolvedWebAuthnProvider } from '../contracts/index.js'
import { InvalidConfiguration } from '../errors.js'
import { quote } from './refusal.js'
import type { ProviderSurroundings } from './resolve-client.js'
import { type Check, isText, optional, shape, text } from './shape.js'

const originList: Check<readonly string[] | undefined> = (name, value) =>
  listOfTexts(name, value === undefined || Array.isArray(value) ? value : [value])

const listOfTexts = optional<readonly string[]>(
  (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  'must be an origin such as "https://app.example.com", or a list of them.',
)

const relyingPartyShape = shape({ id: text, name: text, origin: originList })

/** The complete relying party; throws what passkeys could not belong to. */
export function resolveRelyingParty(
  provider: string,
  value: unknown,
  { site, production }: ProviderSurroundings,
): ResolvedWebAuthnProvider['relyingParty'] {
  const at = `providers.${provider}.relyingParty`
  const options = relyingPartyShape(at, value)
  const origins = options.origin ?? (site && [site.origin])
  if (origins === undefined && production) {
    throw new InvalidConfiguration(
      `Provider "${provider}": where passkeys are valid must not come from a request. Set AUTH_URL, or \`relyingParty: { id: 'example.com', origin: 'https://example.com' }\`.`,
    )
  }
  const id = options.id ?? (origins ? hostOf(provider, origins) : 'localhost')
  assertDomain(provider, id)
  for (const origin of origins ?? []) assertOrigin(`${at}.origin`, origin)
  return Object.freeze({
    id,
    name: options.name ?? id,
    isOrigin: (origin: string) => origins?.includes(origin) ?? isLocal(origin),
  })
}

/** The host of the first web origin: native apps have none. */
function hostOf(provider: string, origins: readonly string[]): string {
  const web = origins.find((origin) => /^https?:/.test(origin) && isUrl(origin))
  if (web !== undefined) return new URL(web).hostname
  throw new InvalidConfiguration(
    `Provider "${provider}": no origin in \`relyingParty.origin\` is a web site, so nothing says which domain the passkeys belong to. Set \`relyingParty.id\` to your domain.`,
  )
}

/** A domain (WebAuthn Level 3 §5.1.2, "relying party identifier"): an IP address is none. */
function assertDomain(provider: string, id: string): void {
  if (
    id === 'localhost' ||
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{1,63}$/.test(id)
  )
    return
  throw new InvalidConfiguration(
    `Provider "${provider}": ${JSON.stringify(id)} is no domain that passkeys can belong to: no port, no path, no IP address. Set \`relyingParty.id\` to your domain; on your own machine open the site as http://localhost.`,
  )
}

/** As browsers and Android write it into their answers. */
function assertOrigin(name: string, origin: string): void {
  if (/^(?:android|ios):/.test(origin)) return
  const isExact = isUrl(origin) && new URL(origin).origin === origin
  if (isExact && (origin.startsWith('https:') || isLocal(origin))) return
  throw new InvalidConfiguration(
    `${quote(name)}: ${JSON.stringify(origin)} must be an https origin without a path, such as "https://app.example.com"; http works on localhost only.`,
  )
}

function isLocal(origin: string): boolean {
  return isUrl(origin) && new URL(origin).origin === origin && /^https?:\/\/localhost(?::\d+)?$/.test(origin)
}
