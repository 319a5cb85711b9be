/** Sessions that end with one at a provider: by which they began, and their end. */
import type { LostSession, ProviderLink, ProviderLogout, ResolvedConfig, Store } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import type { AdapterSessionLink } from '../../types/adapter.js'
import { noteEnded } from '../ended-sessions.js'
import { endAndChange } from '../security-stamp.js'
import { toLost } from './lost.js'

/** Stores the session at a provider that a session began with. @throws {@link AdapterError} */
export async function linkSession(
  store: Store,
  sessionToken: HashedToken,
  link: ProviderLink | undefined,
): Promise<void> {
  if (link) await store.linkSession({ sessionToken, subject: link.subject, providerSession: link.session ?? null })
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

/** Ends the sessions that began by what has ended. Where one cannot be ended it rejects, and can be called again. */
export function endLinked(config: ResolvedConfig, store: Store, logout: ProviderLogout): Promise<LostSession[]> {
  const end = () => deleteLinked(config, store, logout)
  return endAndChange(config, end, (stamps) => stamps.changeLinked(logout))
}

async function deleteLinked(config: ResolvedConfig, store: Store, logout: ProviderLogout): Promise<LostSession[]> {
  const lost: LostSession[] = []
  for (const { sessionToken } of await linksOf(store, logout)) {
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
