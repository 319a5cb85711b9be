/** The interface of the engine, for the doors and for the implementations of functions. */
import type { AuthContext, CookieContext } from '../contracts/index.js'
import type { AuthError } from '../errors.js'
import { type AuthReply, type AuthRequest, type AuthResponse, header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import type { OpenResponse } from '../http/response.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { SessionReader, SessionRequest } from '../session/reader.js'
import type { CallEffect } from '../types/call-rules.js'
import type { Awaitable } from '../types/identity.js'

/** The data that distinguishes visitors outside the routes of the Router. */
export interface Visitor {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  readonly origin: string | undefined
}

/** Returns the visitor of a request. */
export function visitorOf(req: SessionRequest): Visitor {
  return { cookie: header(req.headers, 'cookie'), origin: readOrigin(req) }
}

/** The effect of a call. */
export interface CallKind {
  readonly effect: CallEffect
  /** `true` if it may be called in an impersonated session, or checks that itself. */
  readonly impersonated?: boolean | undefined
  /** The name of the call in telemetry. Default: the action of the request. */
  readonly name?: string | undefined
}

/** The outcome of an action that the application's own code called. */
export interface CallResult<Outcome = AuthResponse> {
  readonly outcome: Outcome | AuthError
  /** `Set-Cookie` values by cookie name, as of now. */
  cookies(): ReadonlyMap<string, string>
  /** Beside them, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Sets both on a response of Node, the cookies instead of those set under their names. A session that has ended by the time
   * the headers go out is taken back, so that a late answer does not bring it back.
   */
  writeTo(response: OpenResponse): void
}

/** The engine of one configuration. */
export interface AuthEngine extends SessionReader {
  /** Answers a request to one of our routes. Never rejects. */
  handle(request: AuthRequest): Promise<AuthReply>
  /** Does the work of a call of the application's own code, without a form's token. Logs and reports failures. Never rejects. */
  call<T>(request: AuthRequest, rule: CallKind, work: (context: AuthContext) => Awaitable<T>): Promise<CallResult<T>>
  /** Runs the action that the request of a context names. @throws {@link AuthError} */
  act(context: AuthContext): Awaitable<AuthResponse>
  /** Returns the context of an action, for a call that sets no cookies. @throws {@link UntrustedHost} */
  createCallContext(request: AuthRequest): AuthContext
  /** The CSRF token of a visitor, with the cookie to set where there was none. */
  csrfToken(source: Visitor): {
    readonly token: string
    readonly cookies: ReadonlyMap<string, string>
  }
  /** The cookies of a visitor, under the names that they have at the origin. */
  cookieContext(source: Visitor): CookieContext
  /** Sets cookies as the headers of a response go out, unless the application has set or cleared them itself. */
  writeCookiesLater(response: OpenResponse, cookies: () => ReadonlyMap<string, string>): void
  /** Returns the principal of the request's session. Calls no callback. */
  principal(source: Visitor): Promise<StoredPrincipal | null>
  /** Checks whether a POST to a route of the application's comes from a page of its own, with the token of {@link csrfToken}. */
  hasCsrfToken(source: Visitor & Pick<AuthRequest, 'headers' | 'body'>): boolean
  /** Rejects a call that changes something, where a page of another site may have caused it. @throws {@link MissingCSRF} */
  assertCall(req: SessionRequest, effect: CallEffect): void
  /** Rejects a request that a page of another origin caused, whatever its method. @throws {@link MissingCSRF} */
  assertOrigin(req: SessionRequest): void
  /** Rejects a call in an impersonated session. @throws {@link ImpersonatedSession} */
  assertOwnSession(req: SessionRequest): Promise<void>
  /** Tracks work that continues after its response, until it is settled. */
  runInBackground(work: Promise<unknown>): void
  /** Calls the listener for each work that continues after its response, when it begins. A listener that is added twice is called once. */
  onBackgroundWork(listener: (work: Promise<unknown>) => void): void
  /** Waits for the work that continues after responses, such as emails being sent. */
  close(): Promise<void>
}
