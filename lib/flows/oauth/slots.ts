/**
 * Which of the five cookies a new attempt gets. Tabs that begin in the same moment send the same cookies: what a browser was
 * just given is remembered until its requests show it, so that no tab takes the cookie of another.
 */

import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext } from '../../contracts/index.js'
import { browserId } from '../../session/browser.js'

/** The cookies, by the number at the end of their names. */
export const slots = [0, 1, 2, 3, 4] as const
/** Milliseconds until a browser has stored what it was sent. */
const grace = 10 * 1000
/** Milliseconds since the epoch by slot. */
type Given = Map<number, number>

/** By browser. */
const givenOf = perOwner((_site: SiteMemory) => new BoundedMap<string, Given>(1000))

/** The first free slot, or the one that is taken for the longest time. */
export function chooseSlot(
  context: AuthContext,
  held: ReadonlyArray<{ readonly slot: number; readonly transaction: { readonly startedAt: number } }>,
): number {
  const now = Date.now()
  const recent = recentOf(context, now)
  const takenAt = (slot: number) =>
    Math.max(
      recent?.get(slot) ?? Number.NEGATIVE_INFINITY,
      ...held.filter((entry) => entry.slot === slot).map(({ transaction }) => transaction.startedAt),
    )
  const chosen = slots.reduce<number>((best, slot) => (takenAt(slot) < takenAt(best) ? slot : best), slots[0])
  recent?.set(chosen, now)
  return chosen
}

/** The attempt of a slot came back. */
export function releaseSlot(context: AuthContext, slot: number): void {
  const browser = browserId(context)
  if (browser !== undefined) givenOf(context.config.memory).get(browser)?.delete(slot)
}

/** What the browser was given within the time of grace; `undefined` where browsers cannot be told apart. */
function recentOf(context: AuthContext, now: number): Given | undefined {
  const browser = browserId(context)
  if (browser === undefined) return undefined
  const browsers = givenOf(context.config.memory)
  const recent: Given = new Map([...(browsers.get(browser) ?? [])].filter(([, at]) => now - at < grace))
  // Set anew, so that the map is in the order of the last use.
  browsers.delete(browser)
  browsers.set(browser, recent)
  return recent
}
