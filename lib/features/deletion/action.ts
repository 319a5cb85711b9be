/** The endpoint `GET|POST delete-account`: the signed-in user deletes their account, shortly after a sign-in. */
import { canonicalUrl } from '../../actions/requested-provider.js'
import { rejectionReasons } from '../../actions/sign-in-steps.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { type AuthResponse, requestInfo } from '../../http/message.js'
import { pageResponse, renderDeleteAccount } from '../../pages/index.js'
import { assertCsrf, csrfTokenForForm } from '../../session/csrf.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import type { OwnDeletion } from './contract.js'

/** Loads the code of deletions. */
export const loadDeletion = createLazyLoader('The deletion of users', () => import('./entry.js'))

/** The reason that the event and the report of such a deletion have. */
const ownReason = 'own request'

/** Answers `delete-account`: GET asks, and POST deletes. @throws {@link InvalidRequest} without `deletion`. */
export async function deleteAccount(context: AuthContext): Promise<AuthResponse> {
  const { config, request, urls } = context
  if (!config.deletion) throw new InvalidRequest('Users cannot delete their account. Set `deletion`.', 404)
  const isPost = request.method === 'POST'
  if (isPost) assertCsrf(context)
  const elsewhere = isPost ? undefined : canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const state = isPost ? await requestOwnDeletion(context) : await readOwnDeletion(context)
  const { graceDays } = config.deletion
  const action = urls.endpoint('delete-account')
  const signInUrl = urls.page('signIn', { callbackUrl: action })
  return pageResponse(context, state.kind === 'ready' || state.kind === 'done' ? 200 : 403, (frame) =>
    renderDeleteAccount({ frame, state, graceDays, action, signInUrl, csrfToken: csrfTokenForForm(context) }),
  )
}

/** Deletes the signed-in user, or schedules the deletion, and signs the browser out. */
export async function requestOwnDeletion(context: AuthContext): Promise<Exclude<OwnDeletion, { kind: 'ready' }>> {
  const { config, sessions, request } = context
  const owner = await sessions.principal(context)
  const state = await readOwnDeletion(context)
  if (state.kind !== 'ready') return state
  // Another process may have ended the session a moment ago.
  if (!owner || !(await sessions.isLive(context, owner.id))) return { kind: 'unknown' }
  const by = { by: owner.userId, sid: owner.id, request: requestInfo(request) }
  const deletion = { config, sessions, userId: owner.userId, by }
  const { deleteUser, scheduleDeletion } = await loadDeletion()
  const days = config.deletion?.graceDays ?? 0
  const facts = { reason: ownReason }
  const outcome = days > 0 ? await scheduleDeletion(deletion, facts, days) : await deleteUser(deletion, facts)
  if (!outcome.ok) return { kind: outcome.reason }
  // The session has ended. This clears its cookie.
  await sessions.signOut(context)
  return { kind: 'done', ...('due' in outcome && { due: outcome.due }) }
}

/** Returns whether the signed-in user may delete their account now. */
async function readOwnDeletion(context: AuthContext): Promise<Exclude<OwnDeletion, { kind: 'done' }>> {
  const owner = await context.sessions.principal(context)
  const user = owner && (await requireStore(context.config).getUser(owner.userId))
  if (!user) return { kind: 'unknown' }
  const rejection = await rejectionReasons(context)(user.id, 'deleteAccount')
  return rejection === undefined ? { kind: 'ready', label: labelOf(user) } : { kind: 'stale' }
}

const labelOf = ({ email, name, id }: AdapterUser) => email || name || id
