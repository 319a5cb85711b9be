/**
 * The browser of the tests: no scripts, cookies as RFC 6265 §5 has them, no redirect followed unless a test says so.
 *
 * ```ts
 * const browser = new Browser(origin)
 * await browser.signIn({ username: 'ann' })                 // with a CSRF token, as a form
 * const { body } = await browser.get('/auth/session')       // JSON is parsed
 * await browser.ask('//evil.test/', { body: Buffer.of(0) }) // exactly this target and this body
 * ```
 */
import { request } from 'node:http'
import { tellCookie, tellFields } from './log-watch.js'

/** A value of a JSON answer. Tests look into it without a cast. */
type Json = ReturnType<typeof JSON.parse>

/** An answer of the application. */
export interface Answer {
  readonly status: number
  /** The headers by lower-case name. The lines of `Set-Cookie` are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Set-Cookie` lines. */
  readonly cookies: readonly string[]
  /** The media type, without parameters. */
  readonly type: string
  readonly text: string
  /** The parsed JSON; `{}` where the answer is not JSON. */
  readonly body: Json
}

/** A request, besides its target. */
export interface Question {
  /** Default: POST with a body, GET without. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form by its fields. `csrfToken: true` fetches a token first. */
  readonly form?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Buffer
  /** Sent without a length. */
  readonly chunked?: boolean
}

/** The options of a new browser. */
export interface BrowserOptions {
  /** Sent with every request, for example those of a proxy. */
  readonly headers?: Readonly<Record<string, string>>
  /** The path of the routes. Default `/auth`. */
  readonly base?: string
}

/** `Secure` cookies are kept on http too. */
export class Browser {
  /** The cookies by name. Tests change it to tamper with cookies. */
  readonly cookies = new Map<string, string>()
  readonly headers: Record<string, string>
  readonly origin: string
  readonly base: string
  readonly #paths = new Map<string, string>()

  constructor(origin: string, { headers = {}, base = '/auth' }: BrowserOptions = {}) {
    this.origin = origin
    this.base = base
    this.headers = { ...headers }
  }

  /** The `Cookie` header of a request to the path. */
  cookieHeader(path = '/'): string {
    const sent = [...this.cookies].filter(([name]) => matches(path, this.#paths.get(name) ?? '/'))
    return sent.map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** GET a path or an absolute URL of the application. */
  get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('get', url, { headers })
  }

  /** POST fields as a form. The CSRF token is not added: see {@link submit}. */
  post(url: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('post', url, { fields, headers })
  }

  /** POST fields as a form, with a CSRF token fetched before. */
  async submit(url: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const base = new URL(url, this.origin).pathname.replace(
      /\/(?:signin|signout|signup|password|callback|session)(?:\/.*)?$/,
      '',
    )
    return this.post(url, { csrfToken: await this.csrf(base), ...fields }, headers)
  }

  /** The CSRF token of this browser. */
  async csrf(base = this.base): Promise<string> {
    return (await this.get(`${base}/csrf`)).body.csrfToken
  }

  /** Signs in with the credentials provider. */
  signIn(fields: object = {}, base = this.base): Promise<Answer> {
    return this.submit(`${base}/callback/credentials`, { username: 'ann', password: 'right', ...fields })
  }

  /** The session as the session endpoint tells it. */
  async session(base = this.base): Promise<Json> {
    return (await this.get(`${base}/session`)).body
  }

  /** Follows redirects of the application, by GET, to the first other answer. */
  async follow(answer: Answer): Promise<Answer> {
    let last = answer
    for (let hops = 0; last.headers.location?.startsWith(this.origin) && hops < 10; hops += 1) {
      last = await this.get(last.headers.location)
    }
    return last
  }

  /** Any request to a path or a URL of the application. `json` goes as JSON, `fields` as a form. */
  send(
    method: 'get' | 'post' | 'head' | 'put' | 'patch' | 'delete' | 'options',
    url: string,
    { fields, ...what }: { fields?: object; json?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { pathname, search } = new URL(url, this.origin)
    return this.ask(pathname + search, {
      method: method.toUpperCase(),
      ...(fields && { form: { ...fields } }),
      ...what,
    })
  }

  /** Sends a request whose target goes out as it is. */
  async ask(target: string, question: Question = {}): Promise<Answer> {
    const { body, type } = await this.#encode(question)
    const { method = body === undefined ? 'GET' : 'POST' } = question
    const cookie = this.cookieHeader(URL.canParse(target, this.origin) ? new URL(target, this.origin).pathname : '/')
    const headers = {
      ...(cookie && { cookie }),
      ...(type && { 'content-type': type }),
      ...(body !== undefined && !question.chunked && { 'content-length': Buffer.byteLength(body) }),
      ...this.headers,
      ...question.headers,
    }
    const answer = await exchange(this.origin, { method, target, headers, body })
    this.#keep(answer.cookies)
    return answer
  }

  async #encode({ form, json, body }: Question): Promise<{ body?: string | Buffer; type?: string }> {
    tellFields({ ...form, ...Object(json) })
    if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' }
    if (!form) return body === undefined ? {} : { body }
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(form)) {
      const values = name === 'csrfToken' && value === true ? [await this.csrf()] : [value].flat()
      for (const each of values) fields.append(name, String(each ?? ''))
    }
    return { body: fields.toString(), type: 'application/x-www-form-urlencoded' }
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(name.length + 1)
      tellCookie(name, value)
      if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else {
        this.cookies.set(name, value)
        this.#paths.set(name, attributes.find((each) => each.startsWith('Path='))?.slice(5) ?? '/')
      }
    }
  }
}

/** Checks whether a cookie of this path is sent with a request to that one. @see RFC 6265 §5.1.4 */
function matches(requested: string, path: string): boolean {
  return requested === path || requested.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/** A message, letter by letter. */
export interface Message {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string | Buffer | undefined
}

/** Sends a message exactly as it is. */
export function exchange(origin: string, { method, target, headers, body }: Message): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const [type = ''] = (response.headers['content-type'] ?? '').split(';')
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join('\n')]),
          ),
          cookies: response.headers['set-cookie'] ?? [],
          type,
          text,
          body: type === 'application/json' && text !== '' ? JSON.parse(text) : {},
        })
      })
    })
    // A server that has heard enough closes while the rest is still on its way.
    sent.on('error', (error: NodeJS.ErrnoException) => error.code !== 'EPIPE' && reject(error))
    if (body !== undefined) sent.write(body)
    sent.end()
  })
}

/** The `Set-Cookie` lines of an answer. */
export function setCookies({ cookies }: Answer): string[] {
  return [...cookies]
}

/**
 * The URL that an answer sends a browser on to: `Location`, `Refresh`, or `{ url }`. Without the random reference of a
 * fault, which `test/actions/incidents.test.ts` is about.
 */
export function target({ headers, body }: Answer): string {
  const refresh = headers.refresh?.replace(/^0;url=/, '')
  const url: string = headers.location ?? refresh ?? body?.url ?? ''
  return url.replace(/&reference=[0-9a-f]{8}$/, '')
}
