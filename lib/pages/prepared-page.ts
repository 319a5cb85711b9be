/** Prepared pages: rendered once, and split at the values that depend on the request. */
import { randomHex } from '../crypto/random.js'
import { escapeText } from './html.js'

/** A function that fills values into a page, escaped as a template escapes them. */
export type PreparedPage<Name extends string> = (values: Readonly<Record<Name, string>>) => string

/**
 * Prepares a page.
 *
 * @param names The names of its values.
 * @param render Renders it with a mark for each value, which a template must insert unchanged. Nothing else in the page
 *   may depend on a request.
 */
export function preparePage<Name extends string>(
  names: readonly Name[],
  render: (marks: Readonly<Record<Name, string>>) => string,
): PreparedPage<Name> {
  // Random, so that no other text of the page equals a mark. Letters and digits are not escaped.
  const entries = names.map((name): [Name, string] => [name, `mark${randomHex(16)}`])
  const text = render(Object.fromEntries(entries) as Record<Name, string>)
  const namesByMark = new Map(entries.map(([name, mark]) => [mark, name]))
  const parts = text.split(new RegExp(`(${entries.map(([, mark]) => mark).join('|')})`))
  const pieces = parts.map((part) => ({ text: part, name: namesByMark.get(part) }))
  return (values) => {
    let page = ''
    for (const piece of pieces) page += piece.name === undefined ? piece.text : escapeText(values[piece.name])
    return page
  }
}
