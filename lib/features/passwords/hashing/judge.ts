/** Whether a new password may be taken. No rule says which characters it is made of: those make people write `Password1!`. */

import { brotliDecompressSync } from 'node:zlib'
import { lazily } from '../../../base/lazily.js'
import { withTimeout } from '../../../base/timeout.js'
import { toError } from '../../../errors.js'
import type { BreachCheck } from '../types.js'

/** Why a password is not taken. */
export type PasswordFault =
  /** Too few characters. */
  | 'short'
  /** Too many characters. */
  | 'long'
  /** One of the commonest, or a few characters over and over. */
  | 'common'
  /** Known to attackers. */
  | 'breached'
  /** The person's own address, or the site's name. */
  | 'contextual'
  /** A check that must say yes could not be asked. */
  | 'unavailable'

/** What new passwords are held against. */
export interface PasswordRules {
  /** Characters. */
  readonly minLength: number
  /** Characters. */
  readonly maxLength: number
  readonly breached: readonly BreachCheck[]
  /** What a stranger would try first. */
  readonly context: PasswordContext
}

/** Milliseconds for each check: one with no time-out of its own must not hold a person's form for ever. */
const patience = 10_000

/**
 * Why a password is not taken; `undefined` for one that is. The checks are asked in turn, and only about one that is good otherwise.
 *
 * @param log Told of a check that could not be asked.
 */
export async function judgePassword(
  password: string,
  { minLength, maxLength, breached, context }: PasswordRules,
  log: (failure: Error) => void,
): Promise<PasswordFault | undefined> {
  if (isTooLong(password, maxLength)) return 'long'
  const text = normalizePassword(password)
  if (passwordLength(text) < minLength) return 'short'
  if (isContextual(text, context)) return 'contextual'
  if (await isCommon(text)) return 'common'
  for (const check of breached) {
    const answer = await ask(check, text, log)
    if (answer) return answer
  }
  return undefined
}

async function ask(
  check: BreachCheck,
  text: string,
  log: (failure: Error) => void,
): Promise<'breached' | 'unavailable' | undefined> {
  const controller = new AbortController()
  try {
    const asked = Promise.resolve(check.isBreached(text, controller.signal))
    return (await withTimeout(asked, patience, 'A check of `breached`')) ? 'breached' : undefined
  } catch (thrown) {
    log(toError(thrown))
    return check.blocksOnOutage === true ? 'unavailable' : undefined
  } finally {
    controller.abort()
  }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

// Passwords as text: one form for what keyboards type in several ways, and their length as people count it.

/** Characters that no password has more of, whatever is configured: what is longer is never hashed. */
const longestPassword = 1024

/**
 * The password in Unicode's composed form (NFC), in which it is judged and hashed: `é` is one character on one keyboard and two on
 * another. Nothing else is changed: spaces at the ends stay, and no letter becomes another one.
 */
export function normalizePassword(text: string): string {
  return text.normalize('NFC')
}

/** Returns the forms in which a password may have been hashed elsewhere: the composed one, and the text as it was typed. */
export function formsOf(text: string): readonly string[] {
  return [...new Set([normalizePassword(text), text])]
}

/** Characters as people count them: code points of the composed form. */
export function passwordLength(text: string): number {
  let length = 0
  for (const _ of normalizePassword(text)) length += 1
  return length
}

/**
 * Whether a password is longer than any. Asked before each hashing.
 *
 * @param longest Characters.
 */
export function isTooLong(text: string, longest = longestPassword): boolean {
  // A composed character has four code points at most in another form, of two units each: a megabyte is not composed to be counted.
  return text.length > longest * 8 || passwordLength(text) > longest
}

/* ---- common ------------------------------------------------------------------------------------------------------ */

// Whether a password is one of the commonest, or made of them in a way that everybody thinks of.

const load = lazily('The list of common passwords', async () => {
  const { commonPasswords } = await import('../../../generated/common-passwords.js')
  return new Set(brotliDecompressSync(Buffer.from(commonPasswords, 'base64')).toString().split('\n'))
})

/** A shorter text that is repeated makes no long password. */
const shortestUnit = 8

/**
 * Whether a stranger would try it first. The list alone has few passwords of 15 characters, so two of its entries in a row, the same
 * few characters over and over, and rows such as `abcdefgh` count, too. Upper and lower case are the same.
 *
 * @param password In its composed form.
 */
async function isCommon(password: string): Promise<boolean> {
  const list = await load()
  const text = password.toLowerCase()
  if (list.has(text) || isRow(text)) return true
  const unit = unitOf(text)
  return unit !== text ? unit.length < shortestUnit || list.has(unit) : isTwoOf(list, text)
}

/** The text that a text repeats: itself, where it repeats none. */
function unitOf(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1))
}

function isTwoOf(list: ReadonlySet<string>, text: string): boolean {
  for (let at = shortestUnit; at <= text.length - shortestUnit; at += 1) {
    if (list.has(text.slice(0, at)) && list.has(text.slice(at))) return true
  }
  return false
}

/** Characters each of which is the one after, or before, the last one; a 0 follows the 9. */
function isRow(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at += 1) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
    const isTurn = Math.abs(after - before) === 9 && /^(?:90|09)$/.test(text.slice(at - 1, at + 1))
    steps.add(isTurn ? Math.sign(before - after) : after - before)
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/* ---- context ----------------------------------------------------------------------------------------------------- */

// Whether a password is what a stranger knows of its owner: the address, or the name of the site.

/** What a stranger knows. */
interface PasswordContext {
  readonly email?: string | undefined
  readonly siteName?: string | undefined
}

/** Shorter words are parts of good passwords. */
const shortestWord = 3
/** More digits and signs than a date has are something that a stranger has to guess. */
const mostBeside = 8

/**
 * Whether it is the address, its part before the `@` or its domain, or the site's name: in any case, with whatever digits and signs at its
 * ends or between its parts, and also several of them in a row. One that only has such a word in it is none.
 *
 * @param password In its composed form.
 */
function isContextual(password: string, { email = '', siteName = '' }: PasswordContext): boolean {
  const [local = '', domain = ''] = email.split('@')
  const label = domain.split('.')[0] ?? ''
  const words = [email, local, domain, label, siteName].map(lettersOf).filter((word) => word.length >= shortestWord)
  const plain = [email, local].map((word) => word.normalize('NFC').toLowerCase()).filter((word) => word !== '')
  if (plain.includes(password.toLowerCase())) return true
  const letters = lettersOf(password)
  return password.length - letters.length <= mostBeside && isMadeOf(letters, words)
}

/** What is left without digits, spaces and signs. */
function lettersOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
}

/** Whether a text is words of a few, one after the other. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0])
  for (let at = 0; at < text.length && text !== ''; at += 1) {
    if (!reached.has(at)) continue
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length)
  }
  return text !== '' && reached.has(text.length)
}
