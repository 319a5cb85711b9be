/** Security headers of all replies, and the Content-Security-Policy of pages. */
import helmet from 'helmet'
import type { ResolvedConfig } from '../contracts/index.js'
import type { ExpressLikeRequest, ExpressLikeResponse } from './express-like.js'

/** Builds both sets of headers, once for a configuration. HSTS is left to the site: it concerns more than us. */
export function createSecurityHeaders(config: ResolvedConfig) {
  const nonces = new WeakMap<object, string>()
  const nonce = (_request: unknown, response: object) => `'nonce-${nonces.get(response) ?? ''}'`
  const closed = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  }
  const all = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: closed },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    xPoweredBy: false,
  })
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      ...closed,
      ...([...config.providers.values()].some(({ kind }) => kind === 'webauthn') && passkeys),
      imgSrc: ["'self'", 'data:', ...logoOrigins(config)],
      scriptSrc: [nonce],
      styleSrc: [nonce],
    },
  })
  return {
    /** For every reply. Nothing may be loaded by it, and nothing may frame it. */
    all: (request: ExpressLikeRequest, response: ExpressLikeResponse) => run(all, request, response),
    /** For a page: its own inline style and script by nonce, its own forms, and the logos of the configuration. */
    page(request: ExpressLikeRequest, response: ExpressLikeResponse, value: string) {
      nonces.set(response, value)
      run(policy, request, response)
      response.setHeader('permissions-policy', permissions)
    },
  }
}

/** The script of the passkey form asks for the options of a ceremony. */
const passkeys = { connectSrc: ["'self'"] }

/** What a page of ours may ask a browser for: passkeys (WebAuthn Level 3 §5.9), and no device. */
const permissions =
  'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()'

/** Origins of the logos that the developer chose. */
function logoOrigins({ theme, providers }: ResolvedConfig): string[] {
  const logos = [theme.logo, theme.logoDark, ...[...providers.values()].map(({ style }) => style.logo)]
  const origins = logos.flatMap((logo) =>
    logo !== undefined && URL.canParse(logo) && logo.startsWith('https:') ? [new URL(logo).origin] : [],
  )
  return [...new Set(origins)]
}

/** helmet's types ask for objects of Node; it sets and removes headers, and no more. */
function run(middleware: ReturnType<typeof helmet>, request: ExpressLikeRequest, response: ExpressLikeResponse): void {
  Reflect.apply(middleware, undefined, [request, response, rethrow])
}

function rethrow(error?: unknown): void {
  if (error) throw error
}
