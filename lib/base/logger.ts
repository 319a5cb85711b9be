/** The logger. It removes secrets from log texts, and is the only code that prints. */
import { AuthError, CredentialsSignin, errorClasses } from '../errors.js'
import type { LoggerInstance, WarningCode } from '../types/logger.js'

/** A logger whose methods never throw and need no `this`. */
export type Logger = Readonly<LoggerInstance>

/** Creates the logger of a configuration. Levels that are not overridden print to the console. */
export function createLogger(user: Partial<LoggerInstance> | undefined, debug: boolean): Logger {
  const silent = () => {}
  return Object.freeze({
    error: guardLoggerMethod(user, 'error') ?? printError,
    warn: guardLoggerMethod(user, 'warn') ?? printWarning,
    debug: guardLoggerMethod(user, 'debug') ?? (debug ? printDebug : silent),
  })
}

/** Wraps the application's method, called on its object. Ignores what it throws or rejects with. */
function guardLoggerMethod<L extends keyof LoggerInstance>(
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
  // Everyday user errors, such as a mistyped password, need no stack.
  else if (!errorClasses.get(code)?.shown) console.error(redact(stackOf(error)))
  if (details.length > 0) console.error(`[auth][details] ${details.map(detailToText).join(' ')}`)
}

function printWarning(code: WarningCode, ...details: unknown[]): void {
  console.warn(`[auth][warn][${code}]${details.map((detail) => ` ${detailToText(detail)}`).join('')}`)
}

function printDebug(message: string, ...details: unknown[]): void {
  console.debug(`[auth][debug] ${redact(message)}${details.map((detail) => ` ${detailToText(detail)}`).join('')}`)
}

/** Returns the lines of the stack without the message, which is already printed. */
function stackOf({ stack = '' }: Error): string {
  const at = stack.search(/^ {4}at /m)
  return at < 0 ? '' : stack.slice(at)
}

/** Returns the chain of causes, each with its message, and the stack of the first. */
function causeLines(error: Error): string[] {
  const lines = [`[auth][cause] ${redact(error.stack ?? String(error))}`]
  let next: unknown = error.cause
  for (let depth = 0; depth < 5 && next instanceof Error; depth += 1) {
    lines.push(`[auth][cause] ${next.name}: ${redact(next.message)}`)
    next = next.cause
  }
  return lines
}

function detailToText(detail: unknown): string {
  if (typeof detail === 'string') return redact(detail)
  if (detail instanceof Error) return redact(`${detail.name}: ${detail.message}`)
  try {
    return redact(JSON.stringify(detail) ?? String(detail))
  } catch {
    return '[unprintable]'
  }
}

/** Names whose values are secret, alone or with a prefix (`AUTH_SECRET`, `clientSecret`). */
const secretNames =
  '\\b((?:\\w{0,40}(?:secret|password|passwd|passphrase|pwd|token|api_?key|code_verifier|assertion)|code|state|nonce|otp|cookie|authorization)\\\\?["\']?\\s*[=:]\\s*)'

const secretPatterns: ReadonlyArray<[pattern: RegExp, replacement: string | ((run: string) => string)]> = [
  // User and password of a URL: database drivers quote connection strings in their messages.
  [/(:\/\/)[^\s/@]{1,256}@/g, '$1[redacted]@'],
  // Credentials of a header. A word of lower-case letters is ordinary text.
  [/\b([Bb]asic|[Bb]earer|DPoP)\s+(?=[a-z_.~-]*[A-Z0-9+/])[\w+/.~-]{6,}=*/g, '$1 [redacted]'],
  // Compact JOSE: three or five parts. Matches start only at the beginning of a run; otherwise long runs would take
  // quadratic time.
  [/(?<![\w-])[\w-]{8,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+\.[\w-]+)?/g, '[token]'],
  [
    /(?<![\p{L}\p{N}_.%+-])[\p{L}\p{N}_.%+-]{1,64}(?:@|%40)(?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}\p{N}_-]{2,63}/gu,
    '[address]',
  ],
  // In quotes the value may have spaces. The quotes may be escaped themselves, in JSON within JSON.
  [new RegExp(`${secretNames}(["'])(?:\\\\.|(?!\\2)[^\\\\]){1,1024}`, 'gi'), '$1$2[redacted]'],
  [new RegExp(`${secretNames}(\\\\["'])[^"'\\\\]+`, 'gi'), '$1$2[redacted]'],
  [new RegExp(`${secretNames}[^\\s"'\\\\&,;}]+`, 'gi'), '$1[redacted]'],
  // Long runs without a break: keys, hashes, random values. Paths in a stack are long runs too, but consist of words.
  [/[A-Za-z0-9+/_-]{40,}={0,2}/g, (run) => (run.split('/').some(isRandom) ? '[redacted]' : run)],
]

function isRandom(segment: string): boolean {
  return segment.length >= 40 || (segment.length >= 16 && /\d/.test(segment) && /[A-Za-z]/.test(segment))
}

/**
 * Removes tokens, secrets and addresses from a text for a log, and escapes characters that could forge a line or colour
 * a terminal.
 */
export function redact(text: string): string {
  let clean = text.length > 8192 ? `${text.slice(0, 8192)}…` : text
  for (const [pattern, replacement] of secretPatterns) {
    clean = typeof replacement === 'string' ? clean.replace(pattern, replacement) : clean.replace(pattern, replacement)
  }
  return clean.split('\n').map(escapeControlCharacters).join('\n  ')
}

/** Escapes characters that could forge a line, colour a terminal or change the direction of text. */
export function escapeControlCharacters(text: string): string {
  return text.replace(controlCharacters, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Control characters, including those that change the direction of text and make a line read as another one. */
const controlCharacters = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
