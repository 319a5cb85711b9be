/** Bodies of the maximum size, with content that is slow to process. */
import { bodyLimit } from '../../lib/router/parse-body.js'

const signs = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(from + at)).join('')

/** Texts that are repeated until they fill a body. */
export const pieces: Readonly<Record<string, string>> = {
  letters: 'a',
  'signs that fold to nothing': '\u200b\u00ad',
  'variation selectors': '\u{e0100}\u{e0101}',
  'marks out of their order': '\u0301\u0327',
  'marks of four bytes': '\u{1d165}\u{1d167}',
  'a letter with marks': 'a\u0301\u0327\u0323',
  'signs that are made of eighteen': '\ufdfa',
  'signs of which none comes twice': signs(0x4e00, 20_000),
  'signs that nobody knows': signs(0xf0000, 20_000),
  'letters of Hangul': signs(0xac00, 11_000),
  'capital letters that become two': '\u0130\u1e9e',
  spaces: ' \u00a0\u3000',
  'line ends': '\r\n',
  'zero bytes': '\u0000',
  dots: '.',
  slashes: '/',
  'dots and slashes': '../',
  backslashes: '\\',
  'plus signs': '+',
  'at signs': 'a@',
  commas: 'a@x.test,',
  dashes: 'xn--',
  percents: '%',
  'broken escapes': '%zz',
  semicolons: '; ',
  pipes: '|',
  quotes: '"',
  brackets: '[',
  braces: '{"a":',
  'half a surrogate pair': '\ud800',
  emoji: '💩',
  tokens: 'eyJhbGciOiJub25lIn0.',
  digits: '9',
  markup: '<b>&amp;',
}

/** The texts before and after a long text. */
export const ends: ReadonlyArray<(piece: string) => string> = [
  (piece) => piece,
  (piece) => `https://${piece}`,
  (piece) => `/${piece}`,
  (piece) => `${piece}@x.test`,
  (piece) => `a@${piece}.test`,
]

/** JSON values. */
export const values: Readonly<Record<string, () => string>> = {
  'a deep list': () => '['.repeat(50_000) + ']'.repeat(50_000),
  'a deep object': () => `${'{"a":'.repeat(16_000)}0${'}'.repeat(16_000)}`,
  'a list of lists': () => `[${'[],'.repeat(33_000)}0]`,
  'a list of objects': () => `[${'{},'.repeat(33_000)}0]`,
  'a list of numbers': () => `[${Array.from({ length: 18_000 }, (_, at) => at).join()}]`,
  'a list of zeros': () => `[${'0,'.repeat(50_000)}0]`,
  'a list of texts': () => `[${Array.from({ length: 12_000 }, (_, at) => `"${at}"`).join()}]`,
  'a list of empty texts': () => `[${'"",'.repeat(33_000)}0]`,
  'an object of many members': () => `{${Array.from({ length: 9000 }, (_, at) => `"a${at}":0`).join()}}`,
  'one member many times': () =>
    `{${Array.from({ length: 10_000 }, () => '"__proto__":0')
      .join()
      .slice(0, 100_000)}}`,
  'lists as deep as they may be': () =>
    `[${Array.from({ length: 500 }, () => '['.repeat(96) + ']'.repeat(96)).join()}]`,
  'long numbers': () => `[${Array.from({ length: 300 }, () => '1'.repeat(300)).join()}]`,
  'objects of one name each': () => `[${Array.from({ length: 8000 }, (_, at) => `{"${at.toString(36)}":0}`).join()}]`,
  'one long number': () => '1'.repeat(100_000),
  escapes: () => `"${'\\u0301'.repeat(16_000)}"`,
}

/** The bytes that a field with its name, and the fields beside it, need. */
const room = 300

/**
 * Returns a text of as many bytes as a body has room for. @param turn Begins at another place in the piece, because a
 * process caches signs that it has seen.
 */
export function fill(
  piece: string,
  end: (text: string) => string,
  turn: number,
  coded: (text: string) => string,
): string {
  const most = bodyLimit - room
  const start = (turn * 600) % piece.length
  const turned = piece.slice(start) + piece.slice(0, start)
  let text = end(cut(turned.repeat(Math.ceil(most / turned.length)), most, coded))
  while (Buffer.byteLength(coded(text)) > most) text = text.slice(0, Math.floor(text.length * 0.98))
  return text
}

function cut(text: string, most: number, coded: (text: string) => string): string {
  const sample = text.slice(0, 1000)
  const each = Buffer.byteLength(coded(sample)) / sample.length
  return text.slice(0, Math.floor((most / each) * 0.98))
}

export const asForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
export const asJson = (text: string): string => JSON.stringify(text)

/** Forms of many fields. */
export const forms: Readonly<Record<string, () => string>> = {
  'many fields': () => Array.from({ length: 990 }, (_, at) => `a${at}=${'b'.repeat(80)}`).join('&'),
  'one field many times': () => Array.from({ length: 990 }, () => `username=${'b'.repeat(80)}`).join('&'),
  'no fields': () => '&'.repeat(100_000),
}
