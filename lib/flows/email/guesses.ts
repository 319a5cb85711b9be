/**
 * Wrong tokens. A developer's `generateVerificationToken` may make short codes: after a few wrong ones the right one is worth
 * nothing either. Our own tokens need no such limit, by which a stranger could spoil a link.
 */
import type { AuthContext, ResolvedEmailProvider, Store } from '../../context.js'
import { Verification } from '../../errors.js'
import { BoundedMap, perOwner } from '../../memory.js'
import { countTry } from './limits.js'

const maxGuesses = 5

/** A token that is tried. */
export interface Guess {
  right(): void
  /** The last wrong one ends the address's tokens. */
  wrong(): Promise<void>
}

const uncounted: Guess = { right: () => {}, wrong: async () => {} }

/** Guesses since the last mail, and when the first one was made (milliseconds). */
interface Guesses {
  readonly count: number
  readonly since: number
}

/** By address. */
const guessesOf = perOwner((_config: AuthContext['config']) => new BoundedMap<string, Guesses>(100_000))

/**
 * Counts a guess, before the token is looked at: many at once are many.
 *
 * @throws {@link Verification} after too many for this address.
 */
export function beginGuess(
  { config, request }: AuthContext,
  provider: ResolvedEmailProvider,
  { address, store }: { address: string; store: Store },
): Guess {
  if (!provider.source.generateVerificationToken) return uncounted
  const forgive = countTry(provider, request.ip)
  const guesses = guessesOf(config)
  const { count, since } = counted(guesses.get(address), provider)
  guesses.set(address, { count, since })
  if (count > maxGuesses) throw new Verification('Too many wrong tokens for this address. Ask for a new link.')
  return {
    right() {
      forgive()
      guesses.delete(address)
    },
    async wrong() {
      if (count < maxGuesses || !store.has('deleteVerificationTokens')) return
      await store.deleteVerificationTokens(address)
      // Nothing is left to be guessed. What another process mails from now on has its own guesses.
      guesses.delete(address)
    },
  }
}

/** A new token was mailed. */
export function forgetGuesses(config: AuthContext['config'], address: string): void {
  guessesOf(config).delete(address)
}

/** Guesses at tokens that are too old by now do not count. */
function counted(known: Guesses | undefined, { maxAge }: ResolvedEmailProvider): Guesses {
  const now = Date.now()
  return known && now - known.since < maxAge * 1000
    ? { count: known.count + 1, since: known.since }
    : { count: 1, since: now }
}
