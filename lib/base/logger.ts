/** The logger: what the library says, and that it never says a secret. The only place that prints. */
import { AuthError, CredentialsSignin, errorClasses } from '../errors.js'
import type { LoggerInstance, WarningCode } from '../types/logger.js'

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
  else if (!errorClasses.get(code)?.shown) console.error(redact(stackOf(error)))
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

/** Names whose values are nobody's business, alone or behind a prefix (`AUTH_SECRET`, `clientSecret`). */
const named =
  '\\b((?:\\w{0,40}(?:secret|password|passwd|passphrase|pwd|token|api_?key|code_verifier|assertion)|code|state|nonce|otp|cookie|authorization)\\\\?["\']?\\s*[=:]\\s*)'

const secretLike: ReadonlyArray<[pattern: RegExp, replacement: string | ((run: string) => string)]> = [
  // User and password of an URL: connection strings of databases stand in their drivers' messages.
  [/(:\/\/)[^\s/@]{1,256}@/g, '$1[redacted]@'],
  // Credentials of a header. A word of lower case letters is a sentence's.
  [/\b([Bb]asic|[Bb]earer|DPoP)\s+(?=[a-z_.~-]*[A-Z0-9+/])[\w+/.~-]{6,}=*/g, '$1 [redacted]'],
  // Compact JOSE: three or five parts. A run is looked at from its beginning only, or long ones would cost their square.
  [/(?<![\w-])[\w-]{8,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+\.[\w-]+)?/g, '[token]'],
  [
    /(?<![\p{L}\p{N}_.%+-])[\p{L}\p{N}_.%+-]{1,64}(?:@|%40)(?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}\p{N}_-]{2,63}/gu,
    '[address]',
  ],
  // Between quotes the value may have spaces; the quotes may be escaped themselves, in JSON within JSON.
  [new RegExp(`${named}(["'])(?:\\\\.|(?!\\2)[^\\\\]){1,1024}`, 'gi'), '$1$2[redacted]'],
  [new RegExp(`${named}(\\\\["'])[^"'\\\\]+`, 'gi'), '$1$2[redacted]'],
  [new RegExp(`${named}[^\\s"'\\\\&,;}]+`, 'gi'), '$1[redacted]'],
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
  return clean.split('\n').map(visible).join('\n  ')
}

/** Text in which characters that could fake a line, colour a terminal or turn the direction of text are written out. */
export function visible(text: string): string {
  return text.replace(controlCharacters, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Those that turn the direction of text among them: they make a line read as another one. */
const controlCharacters = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
