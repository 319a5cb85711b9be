/** The rejection of options: the name, the invalid value, and the fix. */
import { InvalidConfiguration } from '../errors.js'

/** A plain record of unknown values. */
export type Options = Readonly<Record<string, unknown>>

/** Throws an error about an option. `message` follow the option's name, or begin with the colon after it. */
export function rejectOption(name: string, message: string): never {
  throw new InvalidConfiguration(`${quoteOption(name)}${message.startsWith(':') ? '' : ' '}${message}`)
}

/** Rejects unknown names, because a misspelt option would have no effect. */
export function assertKnownKeys(name: string, options: Options, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue
    const moved = replacementFor(optionPath(name, key))
    if (moved) rejectOption(optionPath(name, key), moved)
    const similar = nearestOf(
      known.filter((candidate) => isSimilar(candidate, key)),
      key,
    )
    const advice = similar ? `Did you mean ${quoteOption(similar)}?` : `Known here: ${known.join(', ')}.`
    throw new InvalidConfiguration(`There is no option ${quoteOption(optionPath(name, key))}. ${advice}`)
  }
}

/**
 * Rejects misspelt names of known options (`clientID`, `client_id`), for objects that may have other members: names
 * that resemble no option are ignored.
 */
export function assertNoMisspelling(name: string, options: Options, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    const moved = replacementFor(optionPath(name, key))
    if (moved) rejectOption(optionPath(name, key), moved)
    const meant = known.includes(key) ? undefined : known.find((candidate) => isMisspelling(candidate, key))
    if (meant)
      throw new InvalidConfiguration(
        `There is no option ${quoteOption(optionPath(name, key))}. Did you mean ${quoteOption(meant)}?`,
      )
  }
}

/** Returns an option's full name; top-level options have no prefix. */
export function optionPath(name: string, key: string): string {
  return name === '' ? key : `${name}.${key}`
}

/** Returns an option's name for a message. */
export function quoteOption(name: string): string {
  return `\`${name}\``
}

/** Returns the kind of a value for a message, never its content, which could be a secret. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`
}

/** Returns a name in quotes, and the kind of any other value. Not for values that may be secrets. */
export function quoteName(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : describeValue(value)
}

/**
 * Returns the words of an option that takes one of the configured words, or a list of them.
 *
 * @param what The kind of word, for the message, such as ``a role of `organizations.roles` ``.
 * @throws {@link InvalidConfiguration} for an empty list, and for another value.
 */
export function readWords(
  option: string,
  given: unknown,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
): readonly string[] {
  const list: readonly unknown[] = [given].flat()
  const isKnown = (each: unknown): each is string => known.some((word) => word === each)
  if (list.length > 0 && list.every(isKnown)) return list
  const value = list.length === 0 ? 'an empty list' : quoteName(list.find((each) => !isKnown(each)))
  throw new InvalidConfiguration(
    `${option} must be ${what}, or a list of them, not ${value}. Known here: ${known.join(', ')}.`,
  )
}

function isMisspelling(known: string, key: string): boolean {
  const [left, right] = [known, key].map((each) => each.toLowerCase().replace(/[_-]/g, '')) as [string, string]
  return (
    left === right || (left.length > 5 && Math.abs(left.length - right.length) < 2 && editDistance(left, right) < 2)
  )
}

/** Checks whether two names differ by case, by an ending, or by at most two letters. */
function isSimilar(a: string, b: string): boolean {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()]
  if (left === right) return true
  const shorter = Math.min(left.length, right.length)
  return shorter > 3 && (left.startsWith(right) || right.startsWith(left) || editDistance(left, right) <= 2)
}

/** Returns the name with the fewest differences; the first one of several. */
function nearestOf(names: readonly string[], key: string): string | undefined {
  const distance = (name: string) => editDistance(name.toLowerCase(), key.toLowerCase())
  return [...names].sort((a, b) => distance(a) - distance(b))[0]
}

/** Returns the number of letters to insert, delete or change (Levenshtein distance). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/* ---- moved ------------------------------------------------------------------------------------------------------- */

// The options of earlier versions. Error messages name their replacement.

const logContractMessage =
  'is now part of a store: `session: { revocation: { store: { log: { add, replace, find } } } }`.'

/** The replacements, by the path of the option. `*` is the id of a provider, and `{id}` stands for it in the text. */
const replacedOptions: Readonly<Record<string, string>> = {
  ...optionsOfOtherLibraries(),
  assurance:
    'is now part of `factors`: `factors: { methods: [Totp()], require, whenEnrolled, remember, passkeyIsEnough, store }`.',
  'factors.pages': 'is now part of `pages`: `pages: { twoFactor, twoFactorSetup }`.',
  questionPages: 'is now part of `pages`: `pages: { confirmEmail, changeEmail, connect }`.',
  'pages.forgot': 'is now `pages.forgotPassword`.',
  'pages.reset': 'is now `pages.resetPassword`.',
  'pages.change': 'is now `pages.changePassword`.',
  'providers.*.pages':
    'is now part of the option `pages`: `pages: { signUp, forgotPassword, resetPassword, changePassword }`.',
  'session.revocation.add': logContractMessage,
  'session.revocation.replace': logContractMessage,
  'session.revocation.find': logContractMessage,
  'jwt.cache': 'is removed: the process always remembers the session tokens that it opened twice.',
  'providers.*.verifyAuthenticationOptions': verification('authenticationOptions: { userVerification }'),
  'providers.*.verifyRegistrationOptions': verification(
    'registrationOptions: { authenticatorSelection: { userVerification } }',
  ),
}

function verification(option: string): string {
  return `is removed: an answer needs user verification where \`${option}\` is "required". Set that option.`
}

/** Returns the messages about options of Passport and Better Auth, by their names. */
function optionsOfOtherLibraries(): Record<string, string> {
  const redirect =
    'is not an option, because the site and the id of the provider set the URL. Remove it, and register `<site>/auth/callback/{id}` at the provider instead.'
  const names = ['callbackURL', 'callbackUrl', 'callback_url', 'redirectURI', 'redirectURL', 'redirect_uri']
  const guide = 'See "Moving from Better Auth" in the documentation.'
  return {
    ...Object.fromEntries(names.map((name) => [`providers.*.${name}`, redirect])),
    emailAndPassword: `is an option of Better Auth. Add the provider \`Password({ mail })\` of server-auth/providers/password to \`providers\`. ${guide}`,
    socialProviders: `is an option of Better Auth. List the providers in \`providers\`, as in \`providers: [Google]\`. ${guide}`,
    plugins: `is an option of Better Auth. Use the option or the provider of each capability, such as \`factors\` or \`Passkey\`. ${guide}`,
  }
}

/** Returns the message about a replaced option; `undefined` for any other. */
function replacementFor(path: string): string | undefined {
  const [, id = ''] = /^providers\.([^.]+)/.exec(path) ?? []
  const name = path.replace(/^providers\.[^.]+/, 'providers.*')
  return Object.hasOwn(replacedOptions, name) ? replacedOptions[name]?.replaceAll('{id}', () => id) : undefined
}
