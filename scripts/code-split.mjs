/** The parts that `scripts/measure.mjs` and `scripts/request-files.mjs` split our code into. This is the only list of them. */

/** Code that knows nothing of users and sessions: it runs for every request. */
const kernel = ['lib/kernel/', 'lib/base/', 'lib/crypto/', 'lib/http/']

/** Code that speaks to databases, providers and readers. */
const drivers = ['lib/adapters/', 'lib/providers/', 'lib/i18n/']

/** Tools, code for browsers, generated files, and connections to other software. */
const beside = [
  ...['lib/cli/', 'lib/client/', 'lib/generated/', 'lib/mail/', 'lib/testing/'],
  ...['lib/telemetry/', 'lib/audit/'],
]

/** Optional capabilities: the folder of each in `lib/features/`, and words in the paths of files elsewhere. */
export const capabilities = {
  passwords: /\bpasswords?\b/,
  factors: /\b(factors?|totp)\b/,
  tokens: /\bfeatures\/tokens\/|\b(provider-tokens|(seal|move|reseal)-tokens)\b/,
  passkeys: /\b(passkeys?|webauthn)\b/,
  limits: /\b(limits?|captcha)\b/,
  revocation: /\brevocations?\b/,
  logout: /\blogout\b/,
}

const begins = (path, folders) => folders.some((folder) => path.startsWith(folder))

export const isPlumbing = (path) => begins(path, [...kernel, ...drivers])

export const isKernel = (path) => begins(path, kernel)

/** Checks whether a file is part of every application. English is, and other languages are not. */
export function isPlainCore(path) {
  if (begins(path, [...drivers, ...beside])) return /^lib\/i18n\/en(-\w+)?\.ts$/.test(path)
  return !Object.values(capabilities).some((words) => words.test(path))
}
