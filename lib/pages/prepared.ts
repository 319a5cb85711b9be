/** A page of which only some values depend on the request: rendered once, and cut where these values go. */
import { randomHex } from '../crypto/random.js'
import { escapeText } from './html.js'

/** Fills the values into a page. They are escaped, as a template escapes them. */
export type PreparedPage<Name extends string> = (values: Readonly<Record<Name, string>>) => string

/**
 * Prepares a page.
 *
 * @param names What its values are called.
 * @param render Renders it. It gets a mark for each value, which a template puts where the value goes, as it is. Nothing else in
 * it may depend on a request.
 */
export function preparePage<Name extends string>(
  names: readonly Name[],
  render: (marks: Readonly<Record<Name, string>>) => string,
): PreparedPage<Name> {
  // Random: no other text of the page reads like one. Letters and digits are not escaped.
  const entries = names.map((name): [Name, string] => [name, `mark${randomHex(16)}`])
  const text = render(Object.fromEntries(entries) as Record<Name, string>)
  const nameOf = new Map(entries.map(([name, mark]) => [mark, name]))
  const parts = text.split(new RegExp(`(${entries.map(([, mark]) => mark).join('|')})`))
  const pieces = parts.map((part) => ({ text: part, name: nameOf.get(part) }))
  return (values) => {
    let page = ''
    for (const piece of pieces) page += piece.name === undefined ? piece.text : escapeText(values[piece.name])
    return page
  }
}
