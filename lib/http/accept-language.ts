/** Selects a language by the `Accept-Language` header (RFC 9110 §12.5.4). */

/** The number of characters of the header that are read. Browsers send fewer. */
const maxHeader = 1000
/** The number of languages of a header that are read. */
const maxRanges = 20

/** Returns the languages of the header, most preferred first. Text that is not a language range is left out. */
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
 * Returns the best offered language. Each wanted tag is shortened from its end until it is found (RFC 4647 §3.4). A tag
 * without a match, such as `pt`, falls back to a longer one, such as `pt-BR` (§3.3.1).
 *
 * @param wanted Language tags, most preferred first.
 * @param offered Language tags in lower case.
 */
export function lookUpLanguage(wanted: readonly string[], offered: ReadonlySet<string>): string | undefined {
  // Only as many parts as an offered tag can have: a client may send a tag of thousands of parts.
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

/**
 * Returns the value of a record for a language, selected by {@link lookUpLanguage}.
 *
 * @param byTag The values by language tag, in any case.
 */
export function forLanguage<T>(tag: string, byTag: Readonly<Record<string, T>>): T | undefined {
  const known = new Map(Object.entries(byTag).map(([each, value]) => [each.toLowerCase(), value]))
  return known.get(lookUpLanguage([tag], new Set(known.keys())) ?? '')
}
