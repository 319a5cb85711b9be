/** Asks the running site, with a question that it answers only once, and only to who has its secret. */
import { isRecord } from '../../../base/guards.js'
import { isUrl } from '../../../base/url.js'
import { probeHeader, signProbe } from '../../../crypto/probe.js'
import { capped } from '../../../flows/oauth/fetch.js'
import type { ProbeReport } from '../../../router/doctor.js'
import { patience, skewOf } from '../online/network.js'

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Absent where it was no answer to the doctor. */
  readonly report?: ProbeReport
  /** Whether the routes answered all the same. */
  readonly isOurs: boolean
  /** Seconds by which the site's clock is ahead. */
  readonly skew: number | undefined
}

/** What is sent, and asked for. */
export interface Question {
  readonly headers?: Readonly<Record<string, string>>
  /** Kilobytes of cookies that the answer sets. */
  readonly kilobytes?: number
}

/** Rejects where nobody answers. @param routes The URL of the mount. */
export async function ask(routes: string, secret: string, { headers, kilobytes }: Question = {}): Promise<Answer> {
  const { header, nonce } = signProbe(secret, kilobytes)
  const from = Date.now()
  const response = capped(
    await fetch(`${routes}/providers`, {
      headers: { accept: 'application/json', [probeHeader]: header, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    }),
  )
  const skew = skewOf(response.headers, { from, to: Date.now() })
  const body: unknown = await response.json().catch(() => undefined)
  const said = isRecord(body) ? body.doctor : undefined
  // What somebody else was told, and a cache kept, is no answer.
  const report = isReport(said) && said.nonce === nonce ? { report: said } : {}
  const isOurs =
    response.ok && isRecord(body) && Object.values(body).every((each) => isRecord(each) && 'signinUrl' in each)
  return { status: response.status, headers: response.headers, ...report, isOurs, skew }
}

/** Who answers may be anybody: what is no report from its first field to its last is none. */
function isReport(said: unknown): said is ProbeReport {
  if (!isRecord(said) || !isRecord(said.forwarded) || !Array.isArray(said.cookies)) return false
  const { nonce, mount, trustProxy, protocol, ip, origin, receivedOrigin, secretAt } = said
  const texts = [nonce, mount, trustProxy, ...said.cookies, ...Object.values(said.forwarded)]
  return (
    texts.every(isText) &&
    [protocol, ip].every((each) => each === null || isText(each)) &&
    [origin, receivedOrigin].every((each) => each === null || (isText(each) && isUrl(each))) &&
    Number.isSafeInteger(secretAt)
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'
