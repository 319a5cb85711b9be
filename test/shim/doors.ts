/** The two doors with the routes at `/api/auth`, and a client whose answers are plain text. */
import type { Door } from '../support/doors.js'
import { type Answer as Answered, Browser, type Question } from '../support/http-browser.js'

export { type Door, openExpress, openFetch, openShim } from '../support/doors.js'
export type { Question }

/** An answer whose body is text. */
export type Answer = Pick<Answered, 'status' | 'headers' | 'cookies'> & { readonly body: string }

/** A {@link Browser} at `/api/auth`. */
export class Visitor {
  readonly browser: Browser

  constructor({ origin }: Pick<Door, 'origin'>, headers: Readonly<Record<string, string>> = {}) {
    this.browser = new Browser(origin, { headers, base: '/api/auth' })
  }

  get cookies(): Map<string, string> {
    return this.browser.cookies
  }

  async ask(target: string, question: Question = {}): Promise<Answer> {
    const { status, headers, cookies, text } = await this.browser.ask(target, question)
    return { status, headers, cookies, body: text }
  }

  /** Signs in with credentials. */
  signIn(username = 'ann'): Promise<Answer> {
    return this.ask('/api/auth/callback/credentials', { form: { csrfToken: true, username, password: 'right' } })
  }

  async csrf(): Promise<string> {
    return JSON.parse((await this.ask('/api/auth/csrf')).body).csrfToken
  }
}

/** Headers of a connection, not of an answer; and Express' own. */
const connection = /^(?:connection|keep-alive|date|content-length|set-cookie|transfer-encoding|x-powered-by)$/

/** An answer with everything made equal that is random, or tells the server's port. */
export function comparable({ status, headers, cookies, text }: Answered, { origin }: Door): object {
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
    body: even(text),
  }
}
