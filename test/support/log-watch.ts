/**
 * After each test, its log entries are searched for every secret that was used in it. Loggers of {@link createLog}
 * record everything, `debug` too. The helpers of the tests register secret values where they pass by: cookies, codes,
 * tokens, verifiers, `state`, email tokens, passwords, CSRF tokens, the site's secret and those of clients.
 *
 * A test in which an application itself throws a secret says so: `logsMayHold('why')`.
 */
import { inspect } from 'node:util'

/** The recorded arguments of a logger. */
type Heard = readonly unknown[][]

const heard: Heard[number][] = []
const secrets = new Set<string>()
let excuse: string | undefined

/** Shorter texts are words of messages. */
const shortest = 12

/** Registers values that no log may hold, until the end of the test. */
export function tellSecret(...values: Array<string | null | undefined>): void {
  for (const value of values) if (typeof value === 'string' && value.length >= shortest) secrets.add(value)
}

/** Registers the values of cookies by name: all are secret except the callback URL and the id of the last provider. */
export function tellCookie(name: string, value: string): void {
  if (name.includes('callback-url') || name.includes('last-method')) return
  const text = decodeURIComponent(value.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  // The CSRF cookie is the token and its signature, the browser's an id and a proof.
  tellSecret(value, ...text.split('|'))
}

/** Registers the values of a form or of an answer that are secret by their name. */
export function tellFields(fields: unknown): void {
  if (typeof fields !== 'object' || fields === null || ArrayBuffer.isView(fields)) return
  for (const [name, value] of Object.entries(fields)) {
    if (
      typeof value === 'string' &&
      /^(?:password|csrfToken|token|code|state|logout_token|id_token|access_token|refresh_token|code_verifier|client_secret|nonce)$/.test(
        name,
      )
    ) {
      tellSecret(value)
    }
  }
}

/** Records a log entry, until the end of the test. */
export function hearLog(...message: unknown[]): void {
  heard.push(message)
}

/** The values that no log may hold, so far in this test. */
export function toldSecrets(): readonly string[] {
  return [...secrets]
}

/** In this test the application logs a secret of its own doing. */
export function logsMayHold(why: string): void {
  excuse = why
}

/** Searches log entries for secrets. @throws Error that names the kind of the line, not the secret */
export function findSecret(lines: Heard, values: Iterable<string>): string | undefined {
  if (lines.length === 0) return undefined
  const told = [...values]
  if (told.length === 0) return undefined
  for (const line of lines) {
    const text = line.map((word) => inspect(word, { depth: 6, showHidden: true, maxStringLength: null })).join(' ')
    const found = told.find((value) => text.includes(value))
    if (found !== undefined) {
      return `the log holds a secret of ${found.length} characters: ${text.slice(0, 2000).replaceAll(found, '<<the secret>>')}`
    }
  }
  return undefined
}

/** Searches the log entries since the last call, and forgets them. @returns The finding */
export function searchLogs(): string | undefined {
  const fault = excuse === undefined ? findSecret(heard, secrets) : undefined
  heard.length = 0
  secrets.clear()
  excuse = undefined
  return fault
}

export const mochaHooks = {
  afterEach() {
    const fault = searchLogs()
    if (fault !== undefined) throw new Error(fault)
  },
}
