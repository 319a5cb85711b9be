/** Checks passwords with "Have I Been Pwned", without sending them. */
import { createHash } from 'node:crypto'
import { InvalidConfiguration } from '../../../errors.js'
import type { BreachCheck } from '../types.js'

/** The options of {@link hibp}. */
export interface HibpOptions {
  /** The time-out in seconds, at most 30. Default 2. */
  timeout?: number
  /** True if passwords are accepted if the service fails. Default `allow`. */
  onOutage?: 'allow' | 'deny'
  /** The function that sends the request. Default: `fetch` of Node. */
  fetch?: typeof globalThis.fetch
}

const api = 'https://api.pwnedpasswords.com/range/'

/** Bytes. A response has about 40,000, and may double. */
const longestAnswer = 2 ** 18

/**
 * Rejects passwords that "Have I Been Pwned" knows.
 *
 * The service gets the first five of the forty hexadecimal digits of the password's SHA-1. About a thousand known
 * passwords share them, and the response lists all of these. Padding hides their number from observers of the network.
 *
 * @throws {@link InvalidConfiguration} for invalid options.
 */
export function hibp(options: HibpOptions = {}): BreachCheck {
  const { timeout = 2, onOutage = 'allow', fetch } = options
  if (!(typeof timeout === 'number' && timeout > 0 && timeout <= 30)) {
    throw new InvalidConfiguration('hibp: `timeout` is a number of seconds, at most 30.')
  }
  if (onOutage !== 'allow' && onOutage !== 'deny') {
    throw new InvalidConfiguration("hibp: `onOutage` is 'allow' or 'deny'.")
  }
  return Object.freeze({
    blocksOnOutage: onOutage === 'deny',
    async isBreached(password: string, signal: AbortSignal): Promise<boolean> {
      const digest = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
      const until = AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)])
      const send = fetch ?? globalThis.fetch
      const answer = await send(`${api}${digest.slice(0, 5)}`, {
        // Another server must not get the digits.
        redirect: 'error',
        headers: { 'add-padding': 'true', 'user-agent': 'server-auth' },
        signal: until,
      })
      if (answer.status !== 200) {
        await answer.body?.cancel()
        throw new Error(`Have I Been Pwned answered with status ${answer.status}.`)
      }
      return isListed(await readRangeText(answer), digest.slice(5))
    },
  })
}

/** Checks whether a line contains the rest of the digest. Lines with a count of zero are padding. */
function isListed(text: string, rest: string): boolean {
  const lines = text.trim().split(/\r?\n/)
  let isThere = false
  for (const line of lines) {
    const [, suffix, count] = /^([0-9A-Fa-f]{35}):(\d{1,12})$/.exec(line) ?? []
    // A captive portal's page would otherwise mean that no password is known.
    if (suffix === undefined) throw new Error('Have I Been Pwned returned no list.')
    if (suffix.toUpperCase() === rest && Number(count) > 0) isThere = true
  }
  return isThere
}

async function readRangeText(answer: Response): Promise<string> {
  if (!answer.body) throw new Error('Have I Been Pwned returned no body.')
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of answer.body) {
    size += chunk.byteLength
    if (size > longestAnswer) throw new Error('The answer of Have I Been Pwned is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}
