/** Which language somebody reads best of those there are: what browsers say in `Accept-Language` (RFC 9110 §12.5.4). */

/** Characters of the header that are looked at: browsers send fewer. */
const maxHeader = 1000
/** Languages of a header that are looked at: people read fewer. */
const maxRanges = 20

/**
 * The languages of the header, the most wanted first.
 *
 * @param header The header as it came. What is no language range is left out.
 */
export function wantedLanguages(header: string): string[] {
  const ranges = header
    .slice(0, maxHeader)
    .split(',', maxRanges)
    .map((range) => /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(range))
    .map((match) => ({ tag: match?.[1] ?? '', quality: Number(match?.[2] ?? 1) }))
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
  return ranges.toSorted((one, other) => other.quality - one.quality).map(({ tag }) => tag)
}

/**
 * The best of the offered languages for the wanted ones: each is looked up, and shortened from its end until it is found (RFC 4647
 * §3.4). Who wants `pt`, and would get nothing so, gets `pt-BR` (§3.3.1).
 *
 * @param wanted Language tags, the most wanted first.
 * @param offered Language tags in lower case.
 */
export function lookUpLanguage(wanted: readonly string[], offered: ReadonlySet<string>): string | undefined {
  // Of a tag no more is looked at than could be found: a stranger may write one of thousands of parts.
  const longest = Math.max(0, ...[...offered].map((each) => each.split('-').length))
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split('-', longest)
    for (let length = parts.length; length > 0; length--) {
      const shorter = parts.slice(0, length).join('-')
      if (offered.has(shorter)) return shorter
    }
    const longer = [...offered].find((each) => each.startsWith(`${parts[0]}-`))
    if (longer !== undefined) return longer
  }
  return undefined
}

/** What a record has for a language, by the tag that {@link lookUpLanguage} finds. @param byTag By language tag, in any case. */
export function forLanguage<T>(tag: string, byTag: Readonly<Record<string, T>>): T | undefined {
  const known = new Map(Object.entries(byTag).map(([each, value]) => [each.toLowerCase(), value]))
  return known.get(lookUpLanguage([tag], new Set(known.keys())) ?? '')
}
