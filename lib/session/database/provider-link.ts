/** Sessions that end with one at a provider: by which they began, and their end. */
import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { LostSession, ProviderLink, ProviderLogout, ResolvedConfig, Store } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import { AccessDenied } from '../../errors.js'
import type { AdapterSessionLink } from '../../types/adapter.js'
import { noteEnded } from '../ended-sessions.js'
import { toLost } from './lost.js'

/**
 * What providers have ended lately, and when by their clocks, in seconds. A sign-in that is under way meanwhile would store its
 * session a moment after nothing was found to be ended. Other processes do not know.
 */
const lately = perOwner((_site: SiteMemory) => new BoundedMap<string, number>(10_000))

/**
 * Stores by what a session began.
 *
 * @throws {@link AccessDenied} where that has ended meanwhile, and AdapterError: nobody is signed in then.
 */
export async function linkSession(
  config: ResolvedConfig,
  store: Store,
  { sessionToken, link }: { readonly sessionToken: HashedToken; readonly link: ProviderLink | undefined },
): Promise<void> {
  if (!link) return
  const { subject, session = null } = link
  await store.linkSession({ sessionToken, subject, providerSession: session })
  if (!hasEnded(config, link)) return
  throw new AccessDenied('The person was signed out at the provider in the meantime.')
}

/** A link as the session's own token says it, for {@link linkOf}. */
export function linkText({ subject, session }: ProviderLink): string {
  return session === undefined ? subject : `${subject} ${session}`
}

/** The link of a session, for the one that takes its place: nothing was told of it in between that is not known. */
export function linkOf(text: string): ProviderLink {
  const [subject = '', session] = text.split(' ')
  return { subject, ...(session !== undefined && { session }), at: Number.POSITIVE_INFINITY }
}

/** A session there never comes back. A person does: what the provider said of them later counts. */
function hasEnded({ memory }: ResolvedConfig, { subject, session, at }: ProviderLink): boolean {
  const ended = lately(memory)
  return (session !== undefined && ended.has(session)) || (ended.get(subject) ?? Number.NEGATIVE_INFINITY) >= at
}

/** Anew at the end, where what was ended longest ago makes room. */
function noteLately({ memory }: ResolvedConfig, name: string, at: number): void {
  const ended = lately(memory)
  ended.delete(name)
  ended.set(name, at)
}

/** Ends the sessions that began by what has ended. Where one cannot be ended it rejects, and can be called again. */
export async function endLinked(config: ResolvedConfig, store: Store, logout: ProviderLogout): Promise<LostSession[]> {
  const name = logout.session ?? logout.subject
  if (name === undefined) return []
  // Names that strangers made up must not push those out that count.
  if (!logout.byFrame) noteLately(config, name, logout.at)
  const lost: LostSession[] = []
  const links = await linksOf(store, logout)
  if (logout.byFrame && links.length > 0) noteLately(config, name, logout.at)
  for (const { sessionToken } of links) {
    const session = (await store.getSessionAndUser(sessionToken))?.session
    if (session?.sessionToken !== sessionToken) continue
    await store.deleteSession(sessionToken)
    noteEnded(config, new Map([[sessionToken, true]]))
    lost.push(toLost(session))
  }
  return lost
}

/**
 * The links of a session there; without one, all of the person's. Where the sign-in did not say by which session it was, it may
 * have been this one, so it ends.
 */
async function linksOf(store: Store, { subject, session }: ProviderLogout): Promise<AdapterSessionLink[]> {
  if (subject === undefined) return session === undefined ? [] : store.listSessionLinks({ providerSession: session })
  const links = await store.listSessionLinks({ subject })
  if (session === undefined) return links
  return links.filter(({ providerSession }) => providerSession === session || providerSession === null)
}
