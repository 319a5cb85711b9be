/** The answers of both doors, made comparable. */
import type { Door } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'

/** Headers of a connection, not of an answer; and Express' own. */
const connection = /^(?:connection|keep-alive|date|content-length|set-cookie|transfer-encoding|x-powered-by)$/

/** An answer with everything made equal that is random, or tells the server's port. */
export function comparable({ status, headers, cookies, text }: Answer, { origin }: Door): object {
  const even = (text: string) =>
    text
      .replaceAll(encodeURIComponent(origin), '<origin>')
      .replaceAll(origin, '<origin>')
      .replaceAll(new URL(origin).host, '<host>')
      .replace(/\b[0-9a-f]{64}\b/g, '<token>')
      .replace(/nonce([-=]["']?)[\w-]+/g, 'nonce$1<nonce>')
      .replace(/(reference[ =])[0-9a-f]{8}\b/g, '$1<reference>')
      .replace(/((?:state|nonce|code_challenge)=)[\w.-]+/g, '$1<random>')
      .replace(/"id":"[0-9a-f-]{36}"/g, '"id":"<id>"')
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
