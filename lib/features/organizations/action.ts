/** The endpoint `GET|POST organization`: the user chooses the active organization of the session. */
import { canonicalUrl } from '../../actions/requested-provider.js'
import { changeSession } from '../../actions/sign-in-pipeline.js'
import { checkedCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidConfiguration, InvalidRequest } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { assertCsrf } from '../../session/csrf.js'
import type { Outcome } from '../../types/outcome.js'
import { loadMemberships, loadOrganizations } from './steps.js'

/**
 * Answers `organization`: GET renders the page, POST handles its form. @throws {@link InvalidRequest} without
 * `organizations.list`, and for an organization of which the user is no member.
 */
export async function organization(context: AuthContext): Promise<AuthResponse> {
  const { config, request, sessions, urls } = context
  const { organizations } = config
  if (!organizations?.options.list)
    throw new InvalidRequest(
      'The page needs `organizations.list`. Set it to a function that returns the organizations of a user.',
      404,
    )
  if (request.method === 'POST') {
    assertCsrf(context)
    const outcome = await setActiveOrganization(context, request.body.organization)
    if (outcome.ok) return { kind: 'redirect', to: await checkedCallbackUrl(context) }
    if (outcome.reason === 'unknown') throw new InvalidRequest('There is no such organization.', 404)
  }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const reading = await sessions.read(context, { writable: true })
  const { userId, organization: active } = reading?.member ?? {}
  if (userId === undefined) {
    // The page continues to its own `callbackUrl`.
    const callbackUrl = urls.endpoint('organization') + request.url.search
    return { kind: 'redirect', to: urls.page('signIn', { callbackUrl }) }
  }
  const { organizationPage } = await loadOrganizations()
  return organizationPage(context, organizations, { userId, active })
}

/** Makes an organization the active one, if the user is a member; `null` makes none active. @param id May come from a client. */
export async function setActiveOrganization(
  context: AuthContext,
  id: unknown,
): Promise<Outcome<'session' | 'unknown'>> {
  const { config, sessions } = context
  const { organizations } = config
  if (!organizations) throw new InvalidConfiguration('`organizations.setActive` needs `organizations`. Set it.')
  const reading = await sessions.read(context, { writable: false })
  const { userId, organization: active = null } = reading?.member ?? {}
  if (!reading || userId === undefined) return { ok: false, reason: 'session' }
  const memberships = await loadMemberships(organizations)
  const member = id === null ? null : await memberships.memberOf(userId, id, { isFresh: true })
  if (id !== null && !member) return { ok: false, reason: 'unknown' }
  const organization = member?.id ?? null
  if (organization !== active) {
    const change = { organization, reason: 'organizationChanged' } as const
    await changeSession(context, { userId: reading.holder?.userId, id: reading.id }, change)
  }
  return { ok: true }
}
