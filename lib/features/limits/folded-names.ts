/**
 * The folding of names: one spelling for all spellings that an application or its database may treat as equal.
 *
 * Without it each spelling of a name would have its own count, and a name of ten letters has thousands of spellings.
 * Databases compare by the Unicode Collation Algorithm (UTS #10) or coarser: `ø` is `o`, `œ` is `oe`, `٣` is `3`, a
 * mark may be a letter. Applications ignore upper case, the signs in a telephone number, and the dots and the `+tag` of
 * an email address. Two users whose names are this similar share a count, which does no harm.
 *
 * Names come from strangers and may fill the body. They are limited before they are folded, because a sign that folds
 * to nothing costs as much as any other. Each sign is folded alone: the normal forms of Unicode sort the marks of a
 * text, which takes a second for a text of marks.
 */
import { BoundedMap, perName } from '../../base/memory.js'
import { InvalidRequest } from '../../errors.js'

/**
 * Returns the folded name in a field. A field may have any JSON value, because an application that reads `["ann"]` or
 * `{ "$eq": "ann" }` may find Ann by it.
 *
 * @returns An empty list for a missing or empty field.
 * @throws {@link InvalidRequest} as {@link foldedNamesIn} does.
 */
export function foldedNameIn(value: unknown): readonly string[] {
  return foldedNamesIn([value])
}

/**
 * Returns the folded names in several fields, see {@link foldedNameIn}.
 *
 * @throws {@link InvalidRequest} if they have more than 512 code points or values together. No email address, user name
 *   or telephone number is longer, and folding takes time before the attempt is counted.
 */
export function foldedNamesIn(values: readonly unknown[]): readonly string[] {
  const named = values.filter((value) => value !== undefined && value !== null && value !== '')
  const texts = named.map((value) => joinTexts(value))
  if (texts.reduce((sum, text) => sum + countPoints(text), 0) > mostPoints) throw tooLong()
  return texts.map(foldName)
}

/** The most code points of the names of an attempt, and the most values that they are read from. */
const mostPoints = 512

function tooLong(): InvalidRequest {
  return new InvalidRequest(`The name is too long. Send at most ${mostPoints} characters as the name of a user.`)
}

/** Counts the code points of a text. Returns its length if that is too long anyway. */
function countPoints(text: string): number {
  if (text.length > 2 * mostPoints) return text.length
  return Array.from(text).length
}

/** Joins the texts, numbers and booleans in a value, in their order. The value may have any depth. */
function joinTexts(value: unknown): string {
  let [text, looked] = ['', 0]
  const rest: unknown[] = [value]
  // A value from the application's own code may be circular.
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

/** Characters of a folded name, before and after ignored signs are removed. */
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
  // A name that consists of signs must not become empty.
  return (plain.replace(/[\p{P}\p{S}]/gu, '').replace(/s+/g, 's') || plain).slice(0, longest.name)
}

/** Removes the `+tag` of an email address, because many applications treat both addresses as one mailbox. */
function withoutTag(text: string): string {
  const [plus, at] = [text.indexOf('+'), text.lastIndexOf('@')]
  return plus > 0 && plus < at ? text.slice(0, plus) + text.slice(at) : text
}

/** The folds of signs that are not ASCII. */
const folded = new BoundedMap<string, string>(5000)

function foldSign(sign: string): string {
  if (sign < '\x7f') return sign <= ' ' ? '' : sign.toLowerCase()
  const known = folded.get(sign)
  if (known !== undefined) return known
  const fold = Array.from(sign.normalize('NFKD'), foldPart).join('')
  folded.set(sign, fold)
  return fold
}

/** Folds one sign. @param part A sign that is not composed of others. */
function foldPart(part: string): string {
  if (/[\p{C}\p{Z}\s]/u.test(part)) return ''
  if (/[\p{P}\p{S}]/u.test(part)) return part
  // Signs of these scripts are never equal to letters of other scripts, and there are many of them.
  const letters = /[\p{Script=Han}\p{Script=Hangul}]/u.test(part) ? undefined : equalLetters(part)
  if (letters !== undefined) return letters
  if (/\p{M}/u.test(part)) return ''
  // Older collations treat all these signs as equal.
  if (part.length > 1) return '\uFFFD'
  return part.toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
}

/** Letters in their order, and the comparison that defines it. */
interface Alphabet {
  readonly letters: readonly string[]
  compare(one: string, other: string): number
}

/** The alphabet. Created at first use, because that takes some milliseconds. */
const alphabetOf = perName(() => makeAlphabet())

/** Creates the alphabet: letters and digits of ASCII, alone and in pairs, and the letters of a few more scripts. */
function makeAlphabet(): Alphabet {
  // Letters are equal with an accent, in upper case, and in another width. English has the order of Unicode, without
  // tailoring.
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

/** Returns the first letters that are equal to the sign: empty for an ignored sign, `undefined` if there are none. */
function equalLetters(sign: string): string | undefined {
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
