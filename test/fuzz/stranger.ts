/** A visitor, and the checks of every answer that they get. */
import { evilHost, scriptMark } from './hostile.js'
import { base, type Site } from './site.js'
import { exchange, headerValues, Jar, type Message, parseAnswers, toBytes, type WireAnswer } from './wire.js'

/** A forbidden result. */
export class Violation extends Error {}

/** Results that are allowed beyond those of every answer. */
export interface Leave {
  /** Correct status codes from 500 on: a provider is at fault. */
  readonly faults?: readonly number[]
  /** True if the answer may redirect anywhere, because the provider's own metadata set the target. */
  readonly anywhere?: boolean
}

/** Milliseconds in which an answer must arrive. The runner changes it. */
export const limits = { patience: 5000 }

/** All headers that we, Express and Node send. */
const headerNames = new Set(
  `allow cache-control clear-site-data connection content-length content-security-policy content-type cross-origin-opener-policy
  cross-origin-resource-policy date etag expires keep-alive location permissions-policy pragma referrer-policy refresh
  retry-after set-cookie transfer-encoding vary x-content-type-options x-dns-prefetch-control x-download-options
  x-frame-options x-permitted-cross-domain-policies x-powered-by x-xss-protection`.split(/\s+/),
)

const cookieLine =
  /^(?:__Secure-|__Host-)?auth\.(?:session-token(?:\.\d+)?|callback-url|csrf-token|transaction\.[\w-]+|typed|logout|browser|device|remember|last-method)=[\w%.~|!*'()-]*(?:; (?:Max-Age=\d+|Path=\/[^;,]*|Expires=[^;]+ GMT|HttpOnly|Secure|SameSite=(?:Lax|None)))*$/

/** A stranger with cookies. */
export class Stranger {
  readonly jar = new Jar()
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  /** The origin that an honest client sends. */
  get origin(): string {
    return `http://127.0.0.1:${this.#site.port}`
  }

  /** The headers of a page of the site: a POST with them needs no token. */
  get own(): Array<[string, string]> {
    return [
      ['sec-fetch-site', 'same-origin'],
      ['origin', this.origin],
    ]
  }

  /** Sends a message with this stranger's cookies, and a `Host` unless it has one. Keeps the cookies of the answer. */
  async send(message: Message, leave: Leave = {}): Promise<WireAnswer> {
    const given = message.headers ?? []
    const has = (name: string) => given.some((header) => header[0].toLowerCase() === name)
    const headers: Array<readonly [string, string]> = [
      ...(has('host') ? [] : [['host', `127.0.0.1:${this.#site.port}`] as const]),
      ...(has('cookie') ? [] : this.jar.header()),
      ...given,
    ]
    const bytes = await exchange(this.#site.port, toBytes({ ...message, headers }), limits.patience)
    const [answer, ...others] = strictly(() => parseAnswers(bytes, message.method))
    if (!answer) throw new Violation('no answer')
    if (others.length > 0) throw new Violation(`${others.length} more answers to one message`)
    checkAnswer(answer, leave)
    this.jar.keep(answer)
    return answer
  }

  /** Sends bytes unchanged. If they are no valid message, the connection may be closed without an answer. */
  async sendRaw(bytes: Buffer): Promise<WireAnswer[]> {
    const received = await exchange(this.#site.port, bytes, limits.patience, 15)
    const method = /^HEAD\b/.test(bytes.toString('latin1')) ? 'HEAD' : 'GET'
    const answers = strictly(() => parseAnswers(received, method))
    for (const answer of answers) checkAnswer(answer, {})
    return answers
  }

  /** Posts a form as a page of the site does. */
  post(path: string, fields: Iterable<readonly [string, string]> = [], leave?: Leave): Promise<WireAnswer> {
    const body = new URLSearchParams([...fields].map(([name, value]) => [name, value])).toString()
    const headers: Message['headers'] = [...this.own, ['content-type', 'application/x-www-form-urlencoded']]
    return this.send({ method: 'POST', target: base + path, headers, body }, leave)
  }

  get(target: string, leave?: Leave): Promise<WireAnswer> {
    return this.send({ target }, leave)
  }

  /** Returns the answer of `GET session` with this stranger's cookies. */
  async session(): Promise<unknown> {
    return JSON.parse((await this.get(`${base}/session`)).body)
  }

  /** Checks that no user is signed in with these cookies. */
  async expectNobody(why: string): Promise<void> {
    const session = await this.session()
    if (session !== null) throw new Violation(`a session, ${why}: ${JSON.stringify(session)}`)
  }
}

/** Runs a function whose errors are violations. */
function strictly<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Violation(error instanceof Error ? error.message : String(error))
  }
}

/** Checks the rules of every answer. @throws {@link Violation} */
export function checkAnswer(answer: WireAnswer, { faults = [], anywhere = false }: Leave): void {
  const { status, headers, body } = answer
  if (status >= 500 && !faults.includes(status)) throw new Violation(`status ${status}: ${body.slice(0, 300)}`)
  for (const [name] of headers) {
    if (!headerNames.has(name)) throw new Violation(`a header of nobody's: ${name}`)
  }
  for (const line of headerValues(answer, 'set-cookie')) {
    if (!cookieLine.test(line)) throw new Violation(`a cookie of nobody's: ${line}`)
  }
  if (body.includes(scriptMark) && headerValues(answer, 'content-type').some((type) => type.includes('html'))) {
    throw new Violation('a page with a script that a stranger wrote')
  }
  if (!anywhere) checkTarget(answer)
}

/** Checks where a browser would be redirected. */
function checkTarget(answer: WireAnswer): void {
  const targets = [
    ...headerValues(answer, 'location'),
    ...headerValues(answer, 'refresh').map((each) => each.replace(/^\d+;\s*url=/i, '')),
  ]
  for (const target of targets) {
    const url = URL.parse ? URL.parse(target, 'http://own.test') : new URL(target, 'http://own.test')
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname.endsWith(evilHost)) {
      throw new Violation(`leads to ${target}`)
    }
  }
}

/** Returns the URL to which an answer leads. @throws {@link Violation} if it leads nowhere */
export function leadsTo(answer: WireAnswer): URL {
  const [location] = headerValues(answer, 'location')
  const [refresh] = headerValues(answer, 'refresh')
  const target = location ?? refresh?.replace(/^\d+;url=/, '')
  if (target === undefined) throw new Violation(`leads nowhere: ${answer.status} ${answer.body.slice(0, 200)}`)
  return new URL(target)
}
