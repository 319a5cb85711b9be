/** Security headers of all replies, and the Content-Security-Policy of pages. */
import helmet from 'helmet'
import type { ResolvedConfig } from '../contracts/index.js'
import { uncachedHeaders } from '../http/message.js'
import { prepareHeaders } from '../http/response.js'
import type { ExpressLikeResponse } from './express-like.js'

/** Builds both sets of headers, once for a configuration. HSTS is left to the site: it concerns more than us. */
export function createSecurityHeaders(config: ResolvedConfig) {
  const closed = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  }
  const all = headersOf(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: closed },
      crossOriginEmbedderPolicy: false,
      originAgentCluster: false,
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: false,
      xFrameOptions: { action: 'deny' },
      xPoweredBy: false,
    }),
  )
  const policy = headersOf(
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        ...closed,
        ...([...config.providers.values()].some(({ kind }) => kind === 'webauthn') && passkeys),
        imgSrc: ["'self'", 'data:', ...logoOrigins(config)],
        scriptSrc: [`'nonce-${nonceMark}'`],
        styleSrc: [`'nonce-${nonceMark}'`],
      },
    }),
  )
  const pages = Object.entries(policy).map(([name, value]) => [name, value.split(nonceMark)] as const)
  return {
    /** For every reply. Nothing may be loaded by it, nothing may frame it, and no cache may keep it. */
    all: prepareHeaders({ ...all, ...uncachedHeaders }),
    /** For a page: its own inline style and script by nonce, its own forms, and the logos of the configuration. */
    page(response: ExpressLikeResponse, nonce: string) {
      for (const [name, parts] of pages) response.setHeader(name, parts.join(nonce))
      response.setHeader('permissions-policy', permissions)
    },
  }
}

/** Stands in the prepared policy where the nonce of each page goes. */
const nonceMark = 'nonce-of-the-page'

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

/** What a middleware of helmet sets, which is the same for each response. It is asked once, with a response that keeps it. */
function headersOf(middleware: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value
    },
    removeHeader() {},
  }
  Reflect.apply(middleware, undefined, [{}, response, rethrow])
  return headers
}

function rethrow(error?: unknown): void {
  if (error) throw error
}
