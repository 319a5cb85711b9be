/** Reports the engine's error and warnings for a configuration. */
import { redact } from '../../../base/logger.js'
import type { DoctorContext } from '../context.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'

/** The ids by the type of the error, and by its message. The first match is used. */
const rejectionIds: ReadonlyArray<[type: string, about: RegExp, id: string]> = [
  ['MissingSecret', /fewer than/, 'secret.short'],
  ['MissingSecret', /./, 'secret.missing'],
  ['MissingAdapterMethods', /./, 'adapter.methods'],
  ['MissingAdapter', /./, 'adapter.missing'],
  ['InvalidConfiguration', /^`AUTH_URL`|AUTH_URL must be set|needs AUTH_URL/, 'url.invalid'],
  ['InvalidConfiguration', /has the prefix __|^The cookie |^Two entries of `cookies`/, 'cookies.invalid'],
  ['InvalidConfiguration', /AUTH_[A-Z0-9_]+_(?:ID|SECRET|ISSUER|KEY)\b/, 'provider.credentials'],
  ['InvalidConfiguration', /^Two providers/, 'provider.twice'],
  ['InvalidConfiguration', /^There is no option/, 'config.option'],
  ['InvalidEndpoints', /./, 'provider.endpoints'],
]

/** Reports why the engine rejects parts of the configuration. */
export function checkRejections({ rejections }: DoctorContext): Finding[] {
  return rejections.map(({ type, message }) => {
    const [, , id] = rejectionIds.find(([wanted, about]) => wanted === type && about.test(message)) ?? []
    return failure(id ?? 'config.invalid', redact(message))
  })
}

/** The ids and levels of warnings; `undefined` for one that another check reports, or that is not useful here. */
const warningFindings: Readonly<Record<string, ((text: string, production: boolean) => Finding) | undefined>> = {
  'short-secret': undefined,
  'missing-secret': undefined,
  'experimental-webauthn': undefined,
  'insecure-url': undefined,
  'csrf-disabled': (text) => warning('csrf.off', text),
  'dangerous-merge': (text) => warning('linking.dangerous', text),
  'dangerous-linking': (text) => warning('linking.dangerous', text),
  'debug-enabled': (text, production) => (production ? warning : note)('debug.on', text),
  'no-providers': (text) => failure('providers.none', text),
  'legacy-ended': (text) => warning('legacy.ended', text),
}

/** Reports the warnings of the engine. */
export function checkWarnings({ warnings, env, changed }: DoctorContext): Finding[] {
  return warnings.flatMap(({ code, text }) => {
    // The others were rejected.
    if (code === 'no-providers' && changed.has('provider')) return []
    if (Object.hasOwn(warningFindings, code)) return warningFindings[code]?.(redact(text), env.production) ?? []
    return [warning(`config.${code}`, redact(text))]
  })
}

/** Checks the secrets. */
export function checkSecrets({ env, config, resolved, rejections }: DoctorContext): Finding[] {
  if (rejections.some(({ type }) => type === 'MissingSecret')) return []
  const given = config?.secret ?? env.secrets
  const secrets = resolved ? resolved.secrets : (Array.isArray(given) ? given : [given]).filter((each) => each !== '')
  if (config && (given === undefined || given.length === 0))
    return [(env.production ? failure : warning)('secret.missing', missingSecretMessage)]
  if (secrets.length === 0) return []
  const findings: Finding[] = []
  if (secrets.some(({ length }) => length < 32)) {
    findings.push((env.production ? failure : warning)('secret.short', shortSecretMessage))
  } else if (secrets.some(isGuessable)) {
    findings.push(failure('secret.guessable', guessableSecretMessage))
  }
  if (new Set(secrets).size < secrets.length) findings.push(warning('secret.twice', duplicateSecretMessage))
  return findings.length > 0 ? findings : [ok('secret.strength', 'The secret is long enough, and looks random.')]
}

const makeAdvice = 'Make one with `npx server-auth secret`.'
const missingSecretMessage = `AUTH_SECRET is not set, so sessions end with the process, and in production nothing starts. ${makeAdvice} If it is in a file, pass --env <file>.`
const shortSecretMessage = `A secret has fewer than 32 characters and can be guessed. An attacker who guesses it can sign in as any user. ${makeAdvice}`
const guessableSecretMessage = `A secret is long enough, but not random: it repeats itself, or is made of words. ${makeAdvice}`
const duplicateSecretMessage =
  'Two of the secrets are the same. To change a secret, put a new one in front, and leave the old one behind it.'

/**
 * Checks for few different characters, a repetition, or words from documentation. 32 random characters have some twenty
 * different ones.
 */
function isGuessable(secret: string): boolean {
  if (new Set(secret).size < 10 || /^(.{1,16})\1+$/.test(secret)) return true
  return /(?:change|your|my|super|top|test|dev|example|default)[-_ ]?(?:me|this|secret)|secret[-_ ]?(?:key|here)|password|abcdefgh|01234567|12345678/i.test(
    secret,
  )
}
