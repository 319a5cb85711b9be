/** The session endpoint. */
import type { Session } from '../types/session.js'
import { callEndpoint, getCsrfToken } from './request.js'
import { notifyAllPages } from './session-changes.js'

/**
 * Returns the current session; `null` without one.
 *
 * @throws {@link ClientError} if the request fails, because an outage is not a sign-out.
 *
 * @example
 * ```ts
 * const session = await getSession()
 * if (session) greet(session.user?.name)
 * ```
 */
export async function getSession<S = Session>(): Promise<S | null> {
  const { data } = await callEndpoint('session')
  return data as S | null
}

/**
 * Requests a change of the session: the `jwt` callback receives the data as `session`, with `trigger: 'update'`.
 * Without data the session is fetched again. Other pages of the site fetch it again too.
 *
 * @throws {@link ClientError} if the request fails or is rejected.
 *
 * @example
 * ```ts
 * const session = await update({ name: 'Ada' })
 * ```
 */
export async function update<S = Session>(data?: unknown): Promise<S | null> {
  const session = data === undefined ? await getSession() : await postSessionData(data)
  await notifyAllPages({ session })
  return session as S | null
}

async function postSessionData(data: unknown): Promise<Session | null> {
  const body = JSON.stringify({ csrfToken: await getCsrfToken(), data })
  const answer = await callEndpoint('session', { body, headers: { 'content-type': 'application/json' } })
  return answer.data as Session | null
}
