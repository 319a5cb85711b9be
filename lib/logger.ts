/** The logger: what the library says, and that it never says a secret. The only place that prints. */
import { AuthError, CredentialsSignin, clientErrorTypes } from './errors.js'

/** Codes of warnings. */
export type WarningCode = string

/** Where messages go. Methods are called on your object; what they throw is ignored. */
export interface LoggerInstance {
  /** `error` is an {@link AuthError} whose `type` is the code; `cause.err` has what led to it. */
  error(error: Error, ...details: unknown[]): void
  warn(code: WarningCode, ...details: unknown[]): void
  debug(message: string, ...details: unknown[]): void
}

/** A logger whose methods never throw and need no `this`. */
export type Logger = Readonly<LoggerInstance>

/** Builds the logger of a configuration: levels that are not overridden print to the console. */
export function createLogger(user: Partial<LoggerInstance> | undefined, debug: boolean): Logger {
  const silent = () => {}
  return Object.freeze({
    error: harmless(user, 'error') ?? printError,
    warn: harmless(user, 'warn') ?? printWarning,
    debug: harmless(user, 'debug') ?? (debug ? printDebug : silent),
  })
}

/** The user's method, called on the user's object; a throw or a rejection in it harms nobody. */
function harmless<L extends keyof LoggerInstance>(
  user: Partial<LoggerInstance> | undefined,
  level: L,
): LoggerInstance[L] | undefined {
  if (typeof user?.[level] !== 'function') return undefined
  return (...message: unknown[]) => {
    try {
      const outcome: unknown = Reflect.apply(user[level] as (...message: unknown[]) => unknown, user, message)
      if (outcome instanceof Promise) outcome.catch(() => {})
    } catch {
      // A logger that fails must not fail the request.
    }
  }
}

function printError(error: Error, ...details: unknown[]): void {
  const code = error instanceof AuthError ? error.type : error.name
  const reason = error instanceof CredentialsSignin && error.code !== 'credentials' ? `(${error.code}) ` : ''
  console.error(`[auth][error] ${code}: ${redact(reason + error.message)}`)
  const original = error instanceof AuthError ? error.cause?.err : undefined
  if (original !== undefined) for (const line of causeLines(original)) console.error(line)
  // What people do wrong every day (a mistyped password) needs no stack.
  else if (!clientErrorTypes.has(code)) console.error(redact(stackOf(error)))
  if (details.length > 0) console.error(`[auth][details] ${details.map(toText).join(' ')}`)
}

function printWarning(code: WarningCode, ...details: unknown[]): void {
  console.warn(`[auth][warn][${code}]${details.map((detail) => ` ${toText(detail)}`).join('')}`)
}

function printDebug(message: string, ...details: unknown[]): void {
  console.debug(`[auth][debug] ${redact(message)}${details.map((detail) => ` ${toText(detail)}`).join('')}`)
}

/** Where it happened; what happened is printed already. */
function stackOf({ stack = '' }: Error): string {
  const at = stack.search(/^ {4}at /m)
  return at < 0 ? '' : stack.slice(at)
}

/** The chain of causes, each with its message; the stack of the first. */
function causeLines(error: Error): string[] {
  const lines = [`[auth][cause] ${redact(error.stack ?? String(error))}`]
  let next: unknown = error.cause
  for (let depth = 0; depth < 5 && next instanceof Error; depth += 1) {
    lines.push(`[auth][cause] ${next.name}: ${redact(next.message)}`)
    next = next.cause
  }
  return lines
}

function toText(detail: unknown): string {
  if (typeof detail === 'string') return redact(detail)
  if (detail instanceof Error) return redact(`${detail.name}: ${detail.message}`)
  try {
    return redact(JSON.stringify(detail) ?? String(detail))
  } catch {
    return '[unprintable]'
  }
}

const secretLike: ReadonlyArray<[pattern: RegExp, replacement: string | ((run: string) => string)]> = [
  // Compact JOSE: three or five parts. A run is looked at from its beginning only, or long ones would cost their square.
  [/(?<![\w-])[\w-]{8,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+\.[\w-]+)?/g, '[token]'],
  [/(?<![\w.%+-])[\w.%+-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63}/g, '[address]'],
  [
    /\b(code|state|nonce|token|secret|password|(?:access|refresh|id|session|csrf)_?token|code_verifier|client_secret|assertion)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
    '$1$2[redacted]',
  ],
  // Long runs without a break: keys, hashes, random values. Paths in a stack are such runs too, but of words.
  [/[A-Za-z0-9+/_-]{40,}={0,2}/g, (run) => (run.split('/').some(isRandom) ? '[redacted]' : run)],
]

function isRandom(segment: string): boolean {
  return segment.length >= 40 || (segment.length >= 16 && /\d/.test(segment) && /[A-Za-z]/.test(segment))
}

/** Text for a log: no token, secret or address, and nothing that could fake a line of its own or colour a terminal. */
export function redact(text: string): string {
  let clean = text.length > 8192 ? `${text.slice(0, 8192)}…` : text
  for (const [pattern, replacement] of secretLike) {
    clean = typeof replacement === 'string' ? clean.replace(pattern, replacement) : clean.replace(pattern, replacement)
  }
  return clean.replace(controlCharacters, (character) =>
    character === '\n' ? '\n  ' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/gu
