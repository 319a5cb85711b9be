/**
 * One spelling for all that an application or its database may take for the same name. Otherwise each way to write a name would
 * have a count of its own, and a name of ten letters has thousands of ways.
 *
 * Databases compare by the Unicode Collation Algorithm (UTS #10) or coarser: `ø` is `o`, `œ` is `oe`, `٣` is `3`, a mark may be a letter.
 * Applications leave out what people type differently: upper case, the signs in a telephone number, the dots and the `+tag` of an
 * address. That two people share a count by it, whose names are so alike, does no harm.
 *
 * A name comes from a stranger and may fill a body. So names are bounded before they are folded: a sign that folds to nothing costs as much as
 * any other. Each sign is folded by itself: Unicode's normal forms put the marks of a text in order, which takes a second where there are as
 * many.
 */
import { BoundedMap, perName } from '../../base/memory.js'
import { InvalidRequest } from '../../errors.js'

/**
 * Returns the name in a field, folded. A field may have any JSON value, and an application that reads `["ann"]` or `{ "$eq": "ann" }` may find
 * Ann by it.
 *
 * @returns None for a field that is missing or empty: that names nobody.
 * @throws {@link InvalidRequest} as {@link namesOf} does.
 */
export function nameOf(value: unknown): readonly string[] {
  return namesOf([value])
}

/**
 * Returns the names in several fields, each folded as {@link nameOf} does.
 *
 * @throws {@link InvalidRequest} where they have more than 512 code points or values together. No email address, user name or telephone number
 * is longer, and folding costs time before the attempt is counted.
 */
export function namesOf(values: readonly unknown[]): readonly string[] {
  const named = values.filter((value) => value !== undefined && value !== null && value !== '')
  const texts = named.map((value) => textOf(value))
  if (texts.reduce((sum, text) => sum + countPoints(text), 0) > mostPoints) throw tooLong()
  return texts.map(foldName)
}

/** Code points of the names of an attempt, and the number of values that they are read out of. */
const mostPoints = 512

function tooLong(): InvalidRequest {
  return new InvalidRequest(`The name is too long. Send at most ${mostPoints} characters to say who signs in.`)
}

/** Counts the code points of a text, and stops where there are too many. */
function countPoints(text: string): number {
  if (text.length > 2 * mostPoints) return text.length
  return Array.from(text).length
}

/** Joins the texts, numbers and booleans in a value, in their order. The value may have any depth. */
function textOf(value: unknown): string {
  let [text, looked] = ['', 0]
  const rest: unknown[] = [value]
  // What the application's own code hands over may lead back to itself.
  const seen = new Set<object>()
  while (rest.length > 0) {
    const next = rest.pop()
    looked += 1
    if (typeof next === 'object' && next !== null) {
      if (seen.has(next)) continue
      seen.add(next)
      const inner = Object.values(next)
      if (looked + rest.length + inner.length > mostPoints) throw tooLong()
      rest.push(...inner.reverse())
    } else if (next !== undefined && next !== null) text += String(next)
  }
  return text
}

/** Characters of a folded name, before and after what nobody distinguishes is left out. */
const longest = { text: 2048, name: 512 }

/** Returns the one spelling of a name. Code points after the first 512 are left out. */
export function foldName(name: string): string {
  let [text, points] = ['', 0]
  for (const sign of name) {
    points += 1
    text += foldSign(sign)
    if (points >= mostPoints || text.length >= longest.text) break
  }
  const plain = withoutTag(text)
  // Of a name of signs only something has to be left.
  return (plain.replace(/[\p{P}\p{S}]/gu, '').replace(/s+/g, 's') || plain).slice(0, longest.name)
}

/** An address without what follows a plus sign: many applications take it for the same mailbox. */
function withoutTag(text: string): string {
  const [plus, at] = [text.indexOf('+'), text.lastIndexOf('@')]
  return plus > 0 && plus < at ? text.slice(0, plus) + text.slice(at) : text
}

/** What is known of signs that are not ASCII. */
const folded = new BoundedMap<string, string>(5000)

function foldSign(sign: string): string {
  if (sign < '\x7f') return sign <= ' ' ? '' : sign.toLowerCase()
  const known = folded.get(sign)
  if (known !== undefined) return known
  const fold = Array.from(sign.normalize('NFKD'), foldPart).join('')
  folded.set(sign, fold)
  return fold
}

/** @param part A sign that is made of no others. */
function foldPart(part: string): string {
  if (/[\p{C}\p{Z}\s]/u.test(part)) return ''
  if (/[\p{P}\p{S}]/u.test(part)) return part
  // No sign of these scripts is read as a letter of another one, and they have the most signs to look for.
  const letters = /[\p{Script=Han}\p{Script=Hangul}]/u.test(part) ? undefined : lettersOf(part)
  if (letters !== undefined) return letters
  if (/\p{M}/u.test(part)) return ''
  // Older collations know none of these apart.
  if (part.length > 1) return '\uFFFD'
  return part.toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
}

/** Letters in their order, and what tells it. */
interface Alphabet {
  readonly letters: readonly string[]
  compare(one: string, other: string): number
}

/** Made when it is first needed: that takes some milliseconds. */
const alphabetOf = perName(() => makeAlphabet())

/** Letters and digits of ASCII, alone and in pairs, and the letters of a few more scripts. */
function makeAlphabet(): Alphabet {
  // Letters are the same with an accent, in upper case, in another width. English has the order of Unicode, without a tailoring.
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
  const ascii = Array.from('0123456789abcdefghijklmnopqrstuvwxyz')
  const pairs = ascii.flatMap((first) => ascii.map((second) => first + second))
  // Greek, Cyrillic, Armenian, Hebrew, Arabic; Georgian; Japanese syllables.
  const blocks = [
    [0x370, 0x6ff],
    [0x10a0, 0x10ff],
    [0x3041, 0x30ff],
  ] as const
  const others = blocks.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at)).filter(
      (sign) => /\p{L}/u.test(sign) && compare(sign, '') !== 0,
    ),
  )
  return { letters: [...ascii, ...pairs, ...others].sort(compare), compare }
}

/** The first that is the same as the sign: empty for what is left out, `undefined` where none is. */
function lettersOf(sign: string): string | undefined {
  const { letters, compare } = alphabetOf('all')
  if (compare(sign, '') === 0) return ''
  let [from, to] = [0, letters.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(letters[middle] ?? '', sign) < 0) from = middle + 1
    else to = middle
  }
  const found = letters[from]
  return found !== undefined && compare(found, sign) === 0 ? found : undefined
}
