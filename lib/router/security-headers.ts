/** Security headers of all replies, and the Content-Security-Policy of pages. */

import helmet from 'helmet'
import { isUrl } from '../base/url.js'
import type { ResolvedConfig, ResolvedProvider } from '../contracts/index.js'
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
  const policyOf = (origins: readonly string[]): Policy => {
    const isPasskey = ({ kind }: ResolvedProvider) => kind === 'webauthn'
    const connectSrc = [...([...config.providers.values()].some(isPasskey) ? passkeys : []), ...origins]
    const policy = headersOf(
      helmet.contentSecurityPolicy({
        useDefaults: false,
        directives: {
          ...closed,
          ...(connectSrc.length > 0 && { connectSrc }),
          ...(origins.length > 0 && { frameSrc: [...origins] }),
          imgSrc: ["'self'", 'data:', ...logoOrigins(config)],
          scriptSrc: [`'nonce-${nonceMark}'`, ...origins],
          styleSrc: [`'nonce-${nonceMark}'`, ...origins],
        },
      }),
    )
    return Object.entries(policy).map(([name, value]) => [name, value.split(nonceMark)] as const)
  }
  const usual = policyOf([])
  const captcha = config.rateLimit?.captcha
  const withCaptcha = captcha ? policyOf(captcha.origins) : usual
  return {
    /** For every reply. Nothing may be loaded by it, nothing may frame it, and no cache may keep it. */
    all: prepareHeaders({
      ...all,
      ...uncachedHeaders,
      ...(config.languages.areNegotiated && { vary: 'Cookie, Accept-Language' }),
    }),
    /** For a page: its own inline style and script by nonce, its own forms, the logos of the configuration, and its captcha if it shows one. */
    page(response: ExpressLikeResponse, nonce: string, showsCaptcha = false) {
      for (const [name, parts] of showsCaptcha ? withCaptcha : usual) response.setHeader(name, parts.join(nonce))
      response.setHeader('permissions-policy', permissions)
    },
  }
}

/** Stands in the prepared policy where the nonce of each page goes. */
const nonceMark = 'nonce-of-the-page'

/** The script of the passkey form asks for the options of a ceremony. */
const passkeys = ["'self'"]

/** Headers by name, each cut where the nonce goes. */
type Policy = ReadonlyArray<readonly [name: string, parts: readonly string[]]>

/** What a page of ours may ask a browser for: passkeys (WebAuthn Level 3 §5.9), and no device. */
const permissions =
  'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()'

/** Origins of the logos that the developer chose. */
function logoOrigins({ theme, providers }: ResolvedConfig): string[] {
  const logos = [theme.logo, theme.logoDark, ...[...providers.values()].map(({ style }) => style.logo)]
  const origins = logos.flatMap((logo) =>
    logo !== undefined && isUrl(logo) && logo.startsWith('https:') ? [new URL(logo).origin] : [],
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
