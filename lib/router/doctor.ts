/**
 * The one place that answers `npx server-auth doctor --url`: how a request arrives here, for who has the secret. To anybody else the header
 * is as if it were not there.
 */
import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import { cookiePolicies } from '../config/cookies.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'
import { openProbe, type Probe, probeHeader, probeLifetime } from '../crypto/probe.js'
import { writeCookie } from '../http/cookies.js'
import { header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import type { Mount } from '../http/routes.js'
import { type ExpressLikeRequest, type ExpressLikeResponse, sendAuthReply } from './express-like.js'

/** What the site says. The doctor reads it as what it is: foreign data. */
export interface ProbeReport {
  readonly nonce: string
  /** The site's own, by `AUTH_URL` or the request. */
  readonly origin: string | null
  /** By the request alone. */
  readonly receivedOrigin: string | null
  readonly protocol: string | null
  readonly ip: string | null
  /** What Express' `trust proxy` is. */
  readonly trustProxy: string
  /** What proxies say, as it came. */
  readonly forwarded: Readonly<Record<string, string>>
  readonly mount: string
  readonly secretAt: number
  /** As they were set. */
  readonly cookies: readonly string[]
}

interface Question {
  readonly request: ExpressLikeRequest
  readonly response: ExpressLikeResponse
  readonly mount: Mount
}

/** Those that were answered, for as long as they could come once more. */
const answered = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 2 * probeLifetime, capacity: 1000, hashOf: shortHash }),
)

/** Answers the doctor. `false`, and nothing is done, for anybody else. */
export function answerDoctor(config: ResolvedConfig, { request, response, mount }: Question): boolean {
  const probe = openProbe(header(request.headers, probeHeader) ?? '', config.secrets)
  if (!probe || !answered(config.memory).add(probe.nonce)) return false
  const origin = config.site?.origin ?? readOrigin(request)
  const cookies = cookiesFor(probe, config, origin)
  const report: ProbeReport = {
    nonce: probe.nonce,
    origin: origin ?? null,
    receivedOrigin: readOrigin(request) ?? null,
    protocol: request.protocol ?? null,
    ip: request.ip ?? null,
    trustProxy: trustOf(request),
    forwarded: forwardedBy(request),
    mount: mount.basePath,
    secretAt: probe.secretAt,
    cookies,
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  sendAuthReply(response, { status: 200, headers, cookies, body: JSON.stringify({ doctor: report }) })
  return true
}

/** With the attributes of the session cookie, and of the size that is asked for: a proxy may change it, or drop the answer. */
function cookiesFor({ kilobytes }: Probe, config: ResolvedConfig, origin: string | undefined): string[] {
  const { sessionToken } = cookiePolicies(config, origin)[0]
  const prefix = /^__(?:Host|Secure)-/.exec(sessionToken.name)?.[0] ?? ''
  const letters = Math.max(kilobytes * 1000, 8)
  return Array.from({ length: Math.ceil(letters / 3000) }, (_, at) => {
    const options = { ...sessionToken.options, maxAge: 0 }
    return writeCookie({ name: `${prefix}auth.doctor.${at}`, options }, 'x'.repeat(Math.min(letters - at * 3000, 3000)))
  })
}

function trustOf({ app }: ExpressLikeRequest): string {
  if (typeof app !== 'function' || !('get' in app) || typeof app.get !== 'function') return 'unknown'
  const value: unknown = app.get('trust proxy')
  return typeof value === 'function' ? 'a function' : String(value)
}

const names = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-real-ip', 'forwarded']

function forwardedBy({ headers }: ExpressLikeRequest): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => [[name, header(headers, name) ?? '']]).filter(([, value]) => value))
}
