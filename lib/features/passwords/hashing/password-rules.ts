/** The rules for new passwords. There is none about kinds of characters: such rules lead to `Password1!`. */

import { brotliDecompressSync } from 'node:zlib'
import { createLazyLoader } from '../../../base/lazy-loader.js'
import { withTimeout } from '../../../base/timeout.js'
import { type PasswordRejectionReason, toError } from '../../../errors.js'
import type { BreachCheck } from '../types.js'

/** The rules for new passwords. */
export interface PasswordRules {
  /** Characters. */
  readonly minLength: number
  /** Characters. */
  readonly maxLength: number
  readonly breached: readonly BreachCheck[]
  /** The texts that a stranger would try first. */
  readonly context: PasswordContext
}

/** Milliseconds for each check, because a check without its own time-out must not block a form. */
const checkTimeout = 10_000

/**
 * Returns the reason why a password is rejected; `undefined` if it is accepted. The checks are called in turn, and only
 * for a password that is acceptable otherwise.
 *
 * @param log Called with the error of a check.
 */
export async function checkNewPassword(
  password: string,
  { minLength, maxLength, breached, context }: PasswordRules,
  log: (failure: Error) => void,
): Promise<PasswordRejectionReason | undefined> {
  if (isTooLong(password, maxLength)) return 'long'
  const text = normalizePassword(password)
  if (passwordLength(text) < minLength) return 'short'
  if (isContextual(text, context)) return 'contextual'
  if (await isCommon(text)) return 'common'
  for (const check of breached) {
    const answer = await runBreachCheck(check, text, log)
    if (answer) return answer
  }
  return undefined
}

async function runBreachCheck(
  check: BreachCheck,
  text: string,
  log: (failure: Error) => void,
): Promise<'breached' | 'unavailable' | undefined> {
  const controller = new AbortController()
  try {
    const asked = Promise.resolve(check.isBreached(text, controller.signal))
    return (await withTimeout(asked, checkTimeout, 'A check of `breached`')) ? 'breached' : undefined
  } catch (thrown) {
    log(toError(thrown))
    return check.blocksOnOutage === true ? 'unavailable' : undefined
  } finally {
    controller.abort()
  }
}

/* Text. */

// Passwords as text: one form for different keyboards, and their length as users count it.

/** Characters: the longest password of any configuration. Longer ones are never hashed. */
const longestPassword = 1024

/**
 * Returns the password in Unicode's composed form (NFC), in which it is checked and hashed. `é` is one character on
 * some keyboards and two on others. Nothing else is changed, not even spaces at the ends.
 */
export function normalizePassword(text: string): string {
  return text.normalize('NFC')
}

/**
 * Returns the forms in which another system may have hashed a password: the composed one, and the text as it was typed.
 */
export function formsOf(text: string): readonly string[] {
  return [...new Set([normalizePassword(text), text])]
}

/** Returns the number of characters as users count them: code points of the composed form. */
export function passwordLength(text: string): number {
  let length = 0
  for (const _ of normalizePassword(text)) length += 1
  return length
}

/**
 * Checks whether a password is too long. Called before each hashing.
 *
 * @param longest Characters.
 */
export function isTooLong(text: string, longest = longestPassword): boolean {
  // A composed character has at most four code points in another form, of two units each. The first comparison avoids
  // composing a megabyte.
  return text.length > longest * 8 || passwordLength(text) > longest
}

/* Common passwords. */

// Checks whether a password is a common one, or an obvious combination of common ones.

const loadCommonPasswords = createLazyLoader('The list of common passwords', async () => {
  const { commonPasswords } = await import('../../../generated/common-passwords.js')
  return new Set(brotliDecompressSync(Buffer.from(commonPasswords, 'base64')).toString().split('\n'))
})

/** Repeating a shorter text makes no strong password. */
const shortestUnit = 8

/**
 * Checks whether a stranger would try the password first.
 *
 * The list has few passwords of 15 characters. Two of its entries in a row, repetitions of a few characters, and
 * sequences such as `abcdefgh` are therefore included. Upper and lower case are equal.
 *
 * @param password In its composed form.
 */
async function isCommon(password: string): Promise<boolean> {
  const list = await loadCommonPasswords()
  const text = password.toLowerCase()
  if (list.has(text) || isSequence(text)) return true
  const unit = repeatedUnit(text)
  return unit !== text ? unit.length < shortestUnit || list.has(unit) : isTwoCommonPasswords(list, text)
}

/** Returns the unit that a text repeats, or the text itself. */
function repeatedUnit(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1))
}

function isTwoCommonPasswords(list: ReadonlySet<string>, text: string): boolean {
  for (let at = shortestUnit; at <= text.length - shortestUnit; at += 1) {
    if (list.has(text.slice(0, at)) && list.has(text.slice(at))) return true
  }
  return false
}

/** Checks whether each character is the one after, or before, the previous one; 0 follows 9. */
function isSequence(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at += 1) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
    const isTurn = Math.abs(after - before) === 9 && /^(?:90|09)$/.test(text.slice(at - 1, at + 1))
    steps.add(isTurn ? Math.sign(before - after) : after - before)
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/* Context. */

// Checks whether a password consists of facts that a stranger knows: the email address, or the name of the site.

/** The facts that a stranger knows. */
interface PasswordContext {
  readonly email?: string | undefined
  readonly siteName?: string | undefined
}

/** Shorter words are part of good passwords. */
const shortestWord = 3
/** More digits and signs than a date has are hard to guess. */
const maxOtherCharacters = 8

/**
 * Checks whether a password is the email address, a part of it, or the site's name.
 *
 * The parts are those before the `@`, the domain and its first label. Case is ignored, as well as digits and signs at
 * the ends and in between. Several of these words in a row are included. A password with other letters is not.
 *
 * @param password In its composed form.
 */
function isContextual(password: string, { email = '', siteName = '' }: PasswordContext): boolean {
  const [local = '', domain = ''] = email.split('@')
  const label = domain.split('.')[0] ?? ''
  const words = [email, local, domain, label, siteName].map(lettersOnly).filter((word) => word.length >= shortestWord)
  const plain = [email, local].map((word) => word.normalize('NFC').toLowerCase()).filter((word) => word !== '')
  if (plain.includes(password.toLowerCase())) return true
  const letters = lettersOnly(password)
  return password.length - letters.length <= maxOtherCharacters && consistsOf(letters, words)
}

/** Returns a text without digits, spaces and signs. */
function lettersOnly(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
}

/** Checks whether a text is a sequence of the given words. */
function consistsOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0])
  for (let at = 0; at < text.length && text !== ''; at += 1) {
    if (!reached.has(at)) continue
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length)
  }
  return text !== '' && reached.has(text.length)
}
