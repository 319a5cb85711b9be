/** Whether a password is one of the commonest, or made of them in a way that everybody thinks of. */
import { brotliDecompressSync } from 'node:zlib'
import { lazily } from '../../../base/lazily.js'

const load = lazily('The list of common passwords', async () => {
  const { commonPasswords } = await import('../../../generated/common-passwords.js')
  return new Set(brotliDecompressSync(Buffer.from(commonPasswords, 'base64')).toString().split('\n'))
})

/** A shorter text that is repeated makes no long password. */
const shortestUnit = 8

/**
 * Whether a stranger would try it first. The list alone has few passwords of 15 characters, so two of its entries in a row, the same
 * few characters over and over, and rows such as `abcdefgh` count, too. Upper and lower case are the same.
 *
 * @param password In its composed form.
 */
export async function isCommon(password: string): Promise<boolean> {
  const list = await load()
  const text = password.toLowerCase()
  if (list.has(text) || isRow(text)) return true
  const unit = unitOf(text)
  return unit !== text ? unit.length < shortestUnit || list.has(unit) : isTwoOf(list, text)
}

/** The text that a text repeats: itself, where it repeats none. */
function unitOf(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1))
}

function isTwoOf(list: ReadonlySet<string>, text: string): boolean {
  for (let at = shortestUnit; at <= text.length - shortestUnit; at += 1) {
    if (list.has(text.slice(0, at)) && list.has(text.slice(at))) return true
  }
  return false
}

/** Characters each of which is the one after, or before, the last one; a 0 follows the 9. */
function isRow(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at += 1) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
    const isTurn = Math.abs(after - before) === 9 && /^(?:90|09)$/.test(text.slice(at - 1, at + 1))
    steps.add(isTurn ? Math.sign(before - after) : after - before)
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
