/** The part of a name by which lists of users are sorted and searched. Adapters and cursors must use the same. */

/** The maximum number of compared characters: an index entry has a maximum size, a name has none. */
export const comparedCharacters = 128

/** Returns the compared characters of a text. */
export function comparedStart(text: string | null | undefined): string {
  return Array.from(text ?? '')
    .slice(0, comparedCharacters)
    .join('')
}
