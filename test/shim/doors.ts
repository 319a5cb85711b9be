/** The two doors to the same routes: Express, and the shim behind a Fetch server. And somebody who knocks at both. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { type RequestContextOptions, withRequest } from '../../shim/index.js'
import { type AppOptions, createApp, createLog, credentials, type Log, secret } from '../support/app.js'
import { tellCookie, tellFields } from '../support/log-watch.js'

/** A server with the routes on `/api/auth`. */
export interface Door {
  readonly origin: string
  readonly log: Log
  close(): Promise<void>
}

type Config = Partial<FullStackAuthConfig>

function complete(config: Config, log: Log): FullStackAuthConfig {
  return { secret, providers: [credentials()], logger: log.logger, ...config }
}

/** The Router, mounted in an Express application. */
export async function openExpress(config: Config, options: AppOptions = {}): Promise<Door> {
  const log = createLog()
  const app = createApp(complete({ basePath: '/api/auth', ...config }, log), { mount: '/api/auth', ...options })
  return listen(createServer(app), log)
}

/** `handlers` of the shim, behind a Node server that speaks Fetch. */
export async function openShim(config: Config): Promise<Door> {
  const log = createLog()
  const { handlers } = initAuth(complete(config, log))
  return openFetch(log, (request) => handlers.GET(request), { ip: '127.0.0.1' })
}

/** Any function of Fetch, behind such a server. */
export function openFetch(
  log: Log,
  answer: (request: Request) => Response | Promise<Response>,
  options: RequestContextOptions = {},
): Promise<Door> {
  const listener = getRequestListener(
    (fetched) => withRequest(fetched, () => answer(fetched), options),
    // The tests of other files want Node's own Request and Response.
    { overrideGlobalObjects: false, errorHandler: (error) => new Response(`rejected: ${error}`, { status: 500 }) },
  )
  return listen(createServer(listener), log)
}

/** Any server, on a port of its own. */
export async function listen(server: Server, log: Log): Promise<Door> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What is sent. */
export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form, by its fields. `csrfToken: true` asks for a token before. */
  readonly form?: Readonly<Record<string, string | readonly string[] | true>>
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Buffer
  /** Without a length. */
  readonly chunked?: boolean
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: string
}

/** A client with cookies. Sends exactly what it is told, and nothing of its own. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>

  /** @param headers What goes with every request, such as a proxy's. */
  constructor({ origin }: Pick<Door, 'origin'>, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin
    this.#headers = headers
  }

  /** Sends a question. The request target goes out as it is. */
  async ask(target: string, question: Question = {}): Promise<Answer> {
    const { method = question.form || question.json || question.body ? 'POST' : 'GET' } = question
    tellFields({ ...question.form, ...Object(question.json) })
    const { body, type } = await this.#encode(question)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...(cookie && { cookie }),
      ...(type && { 'content-type': type }),
      ...(body !== undefined && !question.chunked && { 'content-length': Buffer.byteLength(body) }),
      ...this.#headers,
      ...question.headers,
    }
    const answer = await send(this.#origin, { method, target, headers, body })
    this.#keep(answer.cookies)
    return answer
  }

  /** Signs in with credentials. */
  signIn(username = 'ann'): Promise<Answer> {
    return this.ask('/api/auth/callback/credentials', { form: { csrfToken: true, username, password: 'right' } })
  }

  async csrf(): Promise<string> {
    return JSON.parse((await this.ask('/api/auth/csrf')).body).csrfToken
  }

  async #encode({ form, json, body }: Question): Promise<{ body?: string | Buffer; type?: string }> {
    if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' }
    if (!form) return body === undefined ? {} : { body }
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(form)) {
      const values = value === true ? [await this.csrf()] : [value].flat()
      for (const each of values) fields.append(name, each)
    }
    return { body: fields.toString(), type: 'application/x-www-form-urlencoded' }
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      tellCookie(name, pair.slice(name.length + 1))
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
  }
}

interface Message {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string | number>
  readonly body: string | Buffer | undefined
}

/** Sends a message exactly as it is. */
export function send(origin: string, { method, target, headers, body }: Message): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers)
              .filter(([name]) => name !== 'set-cookie')
              .map(([name, value]) => [name, String(value)]),
          ),
          cookies: response.headers['set-cookie'] ?? [],
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    // A server that has heard enough closes while the rest is still on its way.
    sent.on('error', (error: NodeJS.ErrnoException) => error.code !== 'EPIPE' && reject(error))
    if (body !== undefined) sent.write(body)
    sent.end()
  })
}

/** Headers of a connection, not of an answer; and Express' own. */
const connection = /^(?:connection|keep-alive|date|content-length|transfer-encoding|x-powered-by)$/

/** An answer with everything made equal that is random, or tells the server's port. */
export function comparable({ status, headers, cookies, body }: Answer, { origin }: Door): object {
  const even = (text: string) =>
    text
      .replaceAll(encodeURIComponent(origin), '<origin>')
      .replaceAll(origin, '<origin>')
      .replaceAll(new URL(origin).host, '<host>')
      .replace(/\b[0-9a-f]{64}\b/g, '<token>')
      .replace(/nonce([-=]["']?)[\w-]+/g, 'nonce$1<nonce>')
      .replace(/(reference[ =])[0-9a-f]{8}\b/g, '$1<reference>')
      .replace(/((?:state|nonce|code_challenge)=)[\w.-]+/g, '$1<random>')
      .replace(/"expires":"[^"]+"/g, '"expires":"<date>"')
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !connection.test(name))
        .map(([name, value]) => [name, even(value)])
        .sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ),
    cookies: cookies.map((line) => line.replace(/=[^;]*/, '=<value>').replace(/Expires=[^;]+/, 'Expires=<date>')),
    body: even(body),
  }
}
