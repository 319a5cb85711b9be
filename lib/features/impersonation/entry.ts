/**
 * The own session of a user who uses the session of another user. It is sealed in a cookie of the same browser, and can
 * be opened with that session only. Loaded at the first use.
 */
import type { AuthContext, CookieContext } from '../../contracts/index.js'
import { seal, unseal } from '../../crypto/seal.js'
import { isCookieOrChunkOf, presentedCookieNames, readChunked, splitChunks } from '../../http/chunks.js'
import { assertCookieBudget } from '../../http/cookie-budget.js'
import { CookieJar, cookieHeaderAfter, cookieNameOf } from '../../http/cookies.js'
import { header } from '../../http/message.js'
import type { Actor } from '../../principal/index.js'

/**
 * Returns the context of a browser that has only this session.
 *
 * @param token The value of the session cookie. Absent: no session.
 */
export function contextWith(context: AuthContext, token?: string): AuthContext {
  const { cookies, cookiePolicy, request } = context
  const { name } = cookiePolicy.sessionToken
  const sent = cookieHeaderAfter(header(request.headers, 'cookie'), cookies.written)
  const others = sent.split('; ').filter((pair) => !isCookieOrChunkOf(cookieNameOf(pair), name))
  const own = token === undefined ? [] : [`${name}=${encodeURIComponent(token)}`]
  return { ...context, cookies: new CookieJar([...others, ...own].join('; ')) }
}

/**
 * Returns the value of the cookie with this session, as the browser will have it after the response; `undefined` if it
 * is in no cookie.
 *
 * @param id The public id of the session.
 */
export async function tokenOfSession(context: AuthContext, id: string): Promise<string | undefined> {
  const { cookies, cookiePolicy, request, sessions } = context
  const { received } = new CookieJar(cookieHeaderAfter(header(request.headers, 'cookie'), cookies.written))
  for (const token of readChunked(received, cookiePolicy.sessionToken.name)) {
    if ((await sessions.holder(contextWith(context, token), undefined))?.id === id) return token
  }
  return undefined
}

/** Keeps a session in the browser, for the other session. @throws {@link TooManyCookies} if it does not fit. */
export async function keepOwnSession(
  { config, cookies, cookiePolicy }: CookieContext,
  token: string,
  { actor, maxAge }: { readonly actor: Actor; readonly maxAge: number },
): Promise<void> {
  const { name, options } = cookiePolicy.impersonator
  const { binding } = actor
  const value = await seal('impersonator', { binding, token }, { secrets: config.secrets, maxAge })
  assertCookieBudget(cookies, cookiePolicy, { name, value })
  const expires = new Date(Date.now() + maxAge * 1000)
  for (const [chunk, part] of splitChunks(name, value)) {
    cookies.set({ name: chunk, options: { ...options, maxAge, expires } }, part)
  }
}

/** Returns the kept sessions of the browser. A token may only be resumed by the session with the same `binding`. */
export async function keptSessions({ config, cookies, cookiePolicy }: CookieContext) {
  const values = readChunked(cookies.received, cookiePolicy.impersonator.name)
  const opened = await Promise.all(values.map((value) => unseal('impersonator', value, config.secrets)))
  return opened.flatMap((kept) =>
    typeof kept?.token === 'string' ? [{ binding: kept.binding, token: kept.token }] : [],
  )
}

/** Clears the cookie with the kept session. */
export function clearKeptSession({ cookies, cookiePolicy }: CookieContext): void {
  const { name, options } = cookiePolicy.impersonator
  for (const held of presentedCookieNames(cookies.received, name)) cookies.clear({ name: held, options })
}

/** An impersonated session. */
export interface Impersonation {
  readonly userId: string
  readonly actor: Actor
  /** The token of the actor's own session. Absent if this browser keeps none, or one of another impersonated session. */
  readonly token: string | undefined
}

/** Returns the impersonated session of a request; `null` if the session of the request is not impersonated. */
export async function findImpersonation(context: AuthContext): Promise<Impersonation | null> {
  const { userId, actor } = (await context.sessions.holder(context, undefined)) ?? {}
  if (userId === undefined || !actor) return null
  const { binding } = actor
  const own = (await keptSessions(context)).find((kept) => kept.binding === binding)
  return { userId, actor, token: own?.token }
}
