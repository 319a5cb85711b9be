/** Organizations: the page on which users choose one, and their memberships. Loaded if `organizations` is set. */
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, ResolvedOrganizations } from '../../contracts/index.js'
import type { AuthResponse } from '../../http/message.js'
import { pageResponse } from '../../pages/index.js'
import { csrfTokenForForm } from '../../session/csrf.js'
import { renderOrganizations } from './page-organizations.js'
import { membershipsOf } from './store.js'

export { membershipsOf } from './store.js'

/** Returns the page with the organizations of a user. */
export async function organizationPage(
  context: AuthContext,
  organizations: ResolvedOrganizations,
  { userId, active }: { readonly userId: string; readonly active: string | undefined },
): Promise<AuthResponse> {
  const { urls } = context
  const entries = await membershipsOf(organizations).list(userId)
  const callbackUrl = await readCallbackUrl(context)
  const csrfToken = csrfTokenForForm(context)
  const links = { action: urls.endpoint('organization'), signOutUrl: urls.page('signOut') }
  return pageResponse(context, 200, (frame) =>
    renderOrganizations({ frame, entries, active, csrfToken, callbackUrl, ...links }),
  )
}
