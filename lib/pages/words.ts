/** Texts of a language, with what is put into them. */
import type { Language } from '../contracts/index.js'
import type en from '../i18n/en.js'
import type { MessageKey, PlaceholdersIn } from '../i18n/en.js'
import { type Html, html } from './html.js'

type Names<Key extends MessageKey> = PlaceholdersIn<(typeof en)[Key]>

/** What goes into a text: nothing, or a value for each of its placeholders. */
type Values<Key extends MessageKey, Value> = [Names<Key>] extends [never]
  ? []
  : [values: { readonly [Name in Names<Key>]: Value }]

/** Whether a page is in English, whichever: what has words of its own elsewhere says those. */
export function isEnglish({ locale }: Language): boolean {
  return /^en\b/i.test(locale)
}

/** A text as plain text. In languages that are written from right to left what is put in keeps its own direction (Unicode UAX #9). */
export function textOf<Key extends MessageKey>(
  { messages }: Language,
  key: Key,
  ...[values]: Values<Key, string>
): string {
  const isolate = (value: string) => (messages.direction === 'rtl' ? `\u2068${value}\u2069` : value)
  return piecesOf<string>(messages[key], values)
    .map(({ text, value }) => (value === undefined ? text : isolate(value)))
    .join('')
}

/** A text as HTML: it is escaped, and so is what is put in and is not HTML already. */
export function htmlOf<Key extends MessageKey>(
  { messages }: Language,
  key: Key,
  ...[values]: Values<Key, Html | string>
): Html {
  return html`${piecesOf<Html | string>(messages[key], values).map(({ text, value }) =>
    value === undefined ? text : messages.direction === 'rtl' ? html`<bdi>${value}</bdi>` : value,
  )}`
}

interface Piece<Value> {
  readonly text: string
  readonly value?: Value | undefined
}

function piecesOf<Value>(text: string, values: Readonly<Record<string, Value>> | undefined): Piece<Value>[] {
  if (!values) return [{ text }]
  return text.split(/(\{\w+\})/).map((piece) => {
    const name = piece.slice(1, -1)
    const isPlaceholder = piece.startsWith('{') && Object.hasOwn(values, name)
    return isPlaceholder ? { text: piece, value: values[name] } : { text: piece }
  })
}

/** Never more than it is: rounded down, and in a unit of which there are two at least. */
export function durationOf({ locale }: Language, seconds: number): string {
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second']
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.max(1, Math.floor(seconds / size)))
}

const units: ReadonlyArray<readonly [seconds: number, unit: string]> = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]
