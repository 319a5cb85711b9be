/**
 * Short codes. A developer's `generateVerificationToken` may make tokens that a person can type, and so a stranger can guess.
 * One is good for ten minutes, in the browser that asked for it, and until a few wrong ones were tried there: who asked for
 * none cannot guess at all, nor spoil one that somebody else asked for. Our own tokens need nothing of this.
 */

import { type Allowance, perOwner, RecentCounts, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider, Store } from '../../contracts/index.js'
import { equalText, shortHash } from '../../crypto/hash.js'
import { CallbackRouteError, TooManyRequests, Verification } from '../../errors.js'
import { type RequestedLink, readRequest } from './attempt.js'
import { clientOf } from './network.js'
import { hashes, isShortCode } from './token-form.js'

/** Seconds that a short code is good for at the most, whatever `maxAge` says. */
export const maxCodeAge = 10 * 60

/** Wrong ones for one code. The time is longer than a code lives. */
const perCode: Allowance = { most: 5, window: 15 * 60_000 }
/** Wrong ones for one provider, over all addresses and clients: who tries one code for many addresses is stopped here. */
const perProvider: Allowance = { most: 100, window: 60 * 60_000 }

/** Of wrong codes, by what was tried and by whom. */
const wrongOf = perOwner((_site: SiteMemory) => new RecentCounts(100_000))

/** Refuses short codes where nobody counts how many are asked for. @throws {@link CallbackRouteError} */
export function assertCountable(provider: ResolvedEmailProvider, token: string): void {
  if (!isShortCode(token) || provider.limit) return
  throw new CallbackRouteError(
    `\`generateVerificationToken\` of the provider "${provider.id}" makes short codes, and with \`limit: false\` anybody may ask for any number of them. Leave \`limit\` on, or make tokens of 20 characters or more.`,
  )
}

/** Whether so many wrong codes were tried that no code is good for now. Longer tokens are, so nobody is kept out. */
export function areCodesSpent({ memory }: ResolvedConfig, provider: ResolvedEmailProvider): boolean {
  return wrongOf(memory).wait(keyOf(provider, 'all'), perProvider) > 0
}

/**
 * Lets long tokens pass, and the right code of this browser. A wrong one is counted, and the last one that is allowed ends the code.
 *
 * @throws {@link Verification} for a wrong code, after too many, and in a browser that asked for none.
 * @throws {@link TooManyRequests} when the client tried more than the provider's `limit`.
 */
export async function assertGuess(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token, store }: { address: string; token: string; store: Store },
): Promise<void> {
  if (!isShortCode(token) || !provider.source.generateVerificationToken) return
  const request = await readRequest(context, provider, address)
  if (!request) throw new Verification('A short code is good only in the browser that asked for it.')
  // From here to the count nothing is waited for: many at once are many.
  const wrong = countsFor(context, provider, request)
  wrong.assertFew()
  if (hashes(provider, address, token).some((hash) => equalText(hash, request.hash))) return
  const isLast = wrong.add()
  // In the database, too: what another process or the next start of this one has counted no longer matters.
  if (isLast) await store.useVerificationToken({ identifier: address, token: request.hash })
  throw new Verification('The code is wrong.')
}

function countsFor(context: AuthContext, provider: ResolvedEmailProvider, { hash }: RequestedLink) {
  const { config } = context
  const { limit } = provider
  const counts = wrongOf(config.memory)
  const client = clientOf(context)
  const ofCode = keyOf(provider, 'code', hash)
  const ofClient = limit && client !== undefined ? keyOf(provider, 'client', client) : undefined
  const perClient: Allowance = { most: limit?.perClient ?? 0, window: (limit?.window ?? 0) * 1000 }
  return {
    assertFew(): void {
      const wait = ofClient === undefined ? 0 : counts.wait(ofClient, perClient)
      if (wait > 0) throw new TooManyRequests(wait / 1000)
      if (counts.wait(ofCode, perCode) === 0 && !areCodesSpent(config, provider)) return
      throw new Verification('Too many wrong codes. Ask for a new link.')
    },
    /** Whether it was the last one for this code. */
    add(): boolean {
      if (ofClient !== undefined) counts.add(ofClient, perClient)
      counts.add(ofCode, perCode)
      counts.add(keyOf(provider, 'all'), perProvider)
      if (areCodesSpent(config, provider)) config.logger.warn('codes-guessed', guessed(provider))
      return counts.wait(ofCode, perCode) > 0
    },
  }
}

function guessed({ id }: ResolvedEmailProvider): string {
  return `${perProvider.most} wrong codes of the provider "${id}" were tried within an hour: somebody may be guessing. Until there are fewer, codes are refused and new mails carry long tokens.`
}

/** Short, and nobody reads addresses out of the memory. */
function keyOf({ id }: ResolvedEmailProvider, what: string, which = ''): string {
  return shortHash(JSON.stringify([id, what, which]))
}
