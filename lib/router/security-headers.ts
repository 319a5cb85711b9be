/** The security headers of all replies, and the Content-Security-Policy of pages. */

import helmet from 'helmet'
import { isUrl } from '../base/url.js'
import type { ResolvedConfig, ResolvedProvider } from '../contracts/index.js'
import { uncachedHeaders } from '../http/message.js'
import { prepareHeaders } from '../http/response.js'
import type { ExpressLikeResponse } from './express-like.js'

/**
 * Creates both sets of headers, once for a configuration. HSTS is left to the site, because it affects other pages too.
 */
export function createSecurityHeaders(config: ResolvedConfig) {
  const closed = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  }
  const all = headersSetBy(
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
    const connectSrc = [...([...config.providers.values()].some(isPasskey) ? passkeyOrigins : []), ...origins]
    const policy = headersSetBy(
      helmet.contentSecurityPolicy({
        useDefaults: false,
        directives: {
          ...closed,
          ...(connectSrc.length > 0 && { connectSrc }),
          ...(origins.length > 0 && { frameSrc: [...origins] }),
          imgSrc: ["'self'", 'data:', ...logoOrigins(config)],
          scriptSrc: [`'nonce-${noncePlaceholder}'`, ...origins],
          styleSrc: [`'nonce-${noncePlaceholder}'`, ...origins],
        },
      }),
    )
    return Object.entries(policy).map(([name, value]) => [name, value.split(noncePlaceholder)] as const)
  }
  const usual = policyOf([])
  const captcha = config.rateLimit?.captcha
  const withCaptcha = captcha ? policyOf(captcha.origins) : usual
  return {
    /** Sets the headers of every reply: it loads nothing, cannot be framed, and is not cached. */
    all: prepareHeaders({
      ...all,
      ...uncachedHeaders,
      ...(config.languages.areNegotiated && { vary: 'Cookie, Accept-Language' }),
    }),
    /**
     * Sets the headers of a page. It allows the page's inline style and script by nonce, its forms, the configured
     * logos, and a captcha if shown.
     */
    page(response: ExpressLikeResponse, nonce: string, showsCaptcha = false) {
      for (const [name, parts] of showsCaptcha ? withCaptcha : usual) response.setHeader(name, parts.join(nonce))
      response.setHeader('permissions-policy', permissions)
    },
  }
}

/** The placeholder in the prepared policy for the nonce of each page. */
const noncePlaceholder = 'nonce-of-the-page'

/** The script of the passkey form fetches the options of a ceremony. */
const passkeyOrigins = ["'self'"]

/** Headers by name, each split at the nonce. */
type Policy = ReadonlyArray<readonly [name: string, parts: readonly string[]]>

/** The permissions of our pages: passkeys (WebAuthn Level 3 §5.9), and no devices. */
const permissions =
  'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()'

/** Returns the origins of the configured logos. */
function logoOrigins({ theme, providers }: ResolvedConfig): string[] {
  const logos = [theme.logo, theme.logoDark, ...[...providers.values()].map(({ style }) => style.logo)]
  const origins = logos.flatMap((logo) =>
    logo !== undefined && isUrl(logo) && logo.startsWith('https:') ? [new URL(logo).origin] : [],
  )
  return [...new Set(origins)]
}

/** Returns the headers that a middleware of helmet sets. They are the same for each response, so it is called once. */
function headersSetBy(middleware: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
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
