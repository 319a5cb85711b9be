/**
 * Short codes. A developer's `generateVerificationToken` may make tokens that a person can type, and so a stranger can guess.
 * Such a code is good for ten minutes, in the browser that asked for it, and until a few wrong ones were tried there. So an
 * attacker can neither guess the code of somebody else nor use up the tries for it. The engine's own tokens are long, and not
 * limited.
 */

import { type Allowance, perOwner, RecentCounts, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider, Store } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { CallbackRouteError, TooManyRequests, Verification } from '../../errors.js'
import { type RequestedLink, readRequest } from './attempt.js'
import { clientOf, countKey } from './limits.js'
import { hashes, isShortCode } from './token-format.js'

/** Seconds that a short code is good for at the most, whatever `maxAge` says. */
export const maxCodeAge = 10 * 60

/** Wrong codes for one right one. The time is longer than a code lives. */
const perCode: Allowance = { most: 5, window: 15 * 60_000 }
/** Wrong codes for one provider, of all addresses and clients: stops an attacker who tries one code for many addresses. */
const perProvider: Allowance = { most: 100, window: 60 * 60_000 }

/** The counts of wrong codes. */
const wrongOf = perOwner((_site: SiteMemory) => new RecentCounts(100_000))

/** Refuses short codes of a provider without a `limit`: an attacker could ask for codes until a guess is right. */
export function assertCountable(provider: ResolvedEmailProvider, token: string): void {
  if (!isShortCode(token) || provider.limit) return
  throw new CallbackRouteError(
    `\`generateVerificationToken\` of the provider "${provider.id}" makes short codes, and with \`limit: false\` anybody may ask for any number of them. Leave \`limit\` on, or make tokens of 20 characters or more.`,
  )
}

/** Whether so many wrong codes were tried that none is accepted for now. New mails carry long tokens then. */
export function areCodesSpent({ memory }: ResolvedConfig, provider: ResolvedEmailProvider): boolean {
  return wrongOf(memory).wait(countKey(provider, 'all', ''), perProvider) > 0
}

/**
 * Checks a short code; long tokens pass. A wrong code is counted, and the last one that is allowed ends the right one.
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
  // No `await` between this check and the count: otherwise requests sent at the same time would all pass the check.
  const wrong = countsFor(context, provider, request)
  wrong.assertFew()
  if (hashes(provider, address, token).some((hash) => equalText(hash, request.hash))) return
  const isLast = wrong.add()
  // The code goes from the database, too, because other processes, and this one after a restart, have other counts.
  if (isLast) await store.useVerificationToken({ identifier: address, token: request.hash })
  throw new Verification('The code is wrong.')
}

function countsFor(context: AuthContext, provider: ResolvedEmailProvider, { hash }: RequestedLink) {
  const { config } = context
  const { limit } = provider
  const counts = wrongOf(config.memory)
  const client = clientOf(context)
  const ofCode = countKey(provider, 'code', hash)
  const ofClient = limit && client !== undefined ? countKey(provider, 'client', client) : undefined
  const perClient: Allowance = { most: limit?.perClient ?? 0, window: (limit?.window ?? 0) * 1000 }
  return {
    assertFew(): void {
      const wait = ofClient === undefined ? 0 : counts.wait(ofClient, perClient)
      if (wait > 0) throw new TooManyRequests(wait / 1000)
      if (counts.wait(ofCode, perCode) === 0 && !areCodesSpent(config, provider)) return
      throw new Verification('Too many wrong codes. Ask for a new link.')
    },
    /** Counts a wrong code. @returns Whether it was the last one that is allowed. */
    add(): boolean {
      if (ofClient !== undefined) counts.add(ofClient, perClient)
      counts.add(ofCode, perCode)
      counts.add(countKey(provider, 'all', ''), perProvider)
      if (areCodesSpent(config, provider)) config.logger.warn('codes-guessed', guessed(provider))
      return counts.wait(ofCode, perCode) > 0
    },
  }
}

function guessed({ id }: ResolvedEmailProvider): string {
  return `${perProvider.most} wrong codes of the provider "${id}" were tried within an hour: somebody may be guessing. Until there are fewer, codes are refused and new mails carry long tokens.`
}
