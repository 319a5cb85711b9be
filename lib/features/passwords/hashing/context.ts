/** Whether a password is what a stranger knows of its owner: the address, or the name of the site. */

/** What a stranger knows. */
export interface PasswordContext {
  readonly email?: string | undefined
  readonly siteName?: string | undefined
}

/** Shorter words are parts of good passwords. */
const shortestWord = 3
/** More digits and signs than a date has are something that a stranger has to guess. */
const mostBeside = 8

/**
 * Whether it is the address, its part before the `@` or its domain, or the site's name: in any case, with whatever digits and signs at its
 * ends or between its parts, and also several of them in a row. One that only has such a word in it is none.
 *
 * @param password In its composed form.
 */
export function isContextual(password: string, { email = '', siteName = '' }: PasswordContext): boolean {
  const [local = '', domain = ''] = email.split('@')
  const label = domain.split('.')[0] ?? ''
  const words = [email, local, domain, label, siteName].map(lettersOf).filter((word) => word.length >= shortestWord)
  const plain = [email, local].map((word) => word.normalize('NFC').toLowerCase()).filter((word) => word !== '')
  if (plain.includes(password.toLowerCase())) return true
  const letters = lettersOf(password)
  return password.length - letters.length <= mostBeside && isMadeOf(letters, words)
}

/** What is left without digits, spaces and signs. */
function lettersOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
}

/** Whether a text is words of a few, one after the other. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0])
  for (let at = 0; at < text.length && text !== ''; at += 1) {
    if (!reached.has(at)) continue
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length)
  }
  return text !== '' && reached.has(text.length)
}
