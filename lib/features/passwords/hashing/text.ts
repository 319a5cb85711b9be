/** Passwords as text: one form for what keyboards type in several ways, and their length as people count it. */

/** Characters that no password has more of, whatever is configured: what is longer is never hashed. */
export const longestPassword = 1024

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
