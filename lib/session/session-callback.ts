/** Prepares the session for the `session` callback and checks its result. */

import { isRecord } from '../base/guards.js'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { describeValue, rejectOption } from '../config/reject-option.js'
import { defaultCallbacks } from '../config/site.js'
import type { ResolvedConfig, SessionDataUpdater, SessionValues } from '../contracts/index.js'
import { CallbackRouteError, InvalidRequest } from '../errors.js'
import type { Actor } from '../principal/index.js'
import type { AdapterUser } from '../types/adapter.js'
import type { Authentication } from '../types/config.js'
import type { Awaitable } from '../types/identity.js'
import type { JWT } from '../types/jwt.js'
import type { Assurance, Session, SessionActor, SessionUser, SignedInSession } from '../types/session.js'

/** The exposed parts of a session. Scripts receive it, so it contains nothing else of the token or the row. */
export interface SessionParts {
  /** For this session alone, which may be changed. */
  readonly user: SessionUser
  /** The end, in ISO 8601. */
  readonly expires: string
  readonly data: SessionValues | undefined
  /** The data of a client update. */
  readonly update: { readonly data: unknown } | undefined
  /** Returns whether the session has not ended meanwhile. */
  readonly isStillValid: () => boolean
}

/** The origin of a session: its token or its stored user. Read only for the callbacks of an application. */
type SessionSubject = TokenSubject | UserSubject

interface AuthenticatedSubject {
  /** The user who uses the session in place of its user. */
  readonly actor: Actor | undefined
  /** The time and methods of the sign-in. */
  readonly authentication: Authentication
  /** The id of the active organization. */
  readonly organization: string | undefined
}

/** The origin of a JWT session. */
export interface TokenSubject extends AuthenticatedSubject {
  readonly token: JWT
}

/** The origin of a database session. */
export interface UserSubject extends AuthenticatedSubject {
  readonly user: AdapterUser
}

/**
 * Returns the session of the callback; `null` when the session has ended meanwhile. A forgotten `return` throws, so
 * that it does not sign users out.
 */
export function callSessionCallback(
  { callbacks, factors, impersonation, organizations }: ResolvedConfig,
  subject: SessionSubject,
  { user, expires, data, update, isStillValid }: SessionParts,
): Awaitable<Session | null> {
  const session: SignedInSession = { user, expires }
  if (data) session.data = data
  if (factors) session.assurance = toAssurance(subject.authentication)
  const actor = impersonation && subject.actor
  if (actor) session.act = toSessionActor(actor)
  if (organizations && subject.organization !== undefined) session.organization = { id: subject.organization }
  // It returns the session that it gets.
  if (callbacks.session === defaultCallbacks.session) return isStillValid() ? session : null
  const { authentication } = subject
  const newSession = update && { newSession: update.data, trigger: 'update' as const }
  const params =
    'token' in subject
      ? { token: subject.token, session, authentication, ...newSession }
      : { user: subject.user, session, authentication, ...newSession }
  return mapMaybePromise(callbacks.session(params), (returned) => {
    if (!isReturnedSession(returned)) {
      throw new CallbackRouteError('The `session` callback returned no session. Return the session.')
    }
    if (!isStillValid()) return null
    return impersonation ? withActor(returned, actor) : returned
  })
}

function toSessionActor({ userId, reason, since }: Actor): SessionActor {
  return { userId, reason, since }
}

/** Returns the session with the actor of the engine, or none. A callback may return one object for several sessions. */
function withActor(returned: Session, actor: Actor | undefined): Session {
  if (actor) return { ...returned, act: toSessionActor(actor) }
  if (!('act' in returned)) return returned
  const { act: _act, ...own } = returned
  return own
}

/** Checks whether the callback returned an object. The application declares its fields. */
function isReturnedSession(returned: unknown): returned is Session {
  return isRecord(returned)
}

function toAssurance({ auth_time: authTime, amr = [], aal = 1, reported_amr: reported }: Authentication): Assurance {
  return {
    aal,
    amr: [...amr],
    ...(authTime !== undefined && { authTime }),
    ...(reported && { reportedAmr: [...reported] }),
  }
}

/**
 * Rejects a write to a session that may be planted.
 *
 * @throws {@link InvalidRequest}
 */
export function assertUnambiguous(isAmbiguous: boolean): void {
  if (!isAmbiguous) return
  throw new InvalidRequest(
    'The request has several session cookies, and it is not known which one belongs to this browser.',
  )
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

// Data of the application in a session (`session.data`). It is checked on write, so that it reads back unchanged.

/** The deepest nesting of objects. An object that contains itself has no end. */
const maxDataDepth = 32

/**
 * Copies the values. As in JSON, `undefined` members are left out.
 *
 * @param name The name of the object, for messages.
 * @throws {@link InvalidConfiguration} with the member that JSON cannot represent.
 */
export function toSessionValues(name: string, value: unknown): SessionValues {
  if (!isPlainObject(value)) rejectOption(name, `must be a plain object, not ${describeValue(value)}.`)
  return toSessionRecord(name, value, 0)
}

/**
 * Returns the change for `auth.sessions.setData`: merged values, where `undefined` removes one, or a function.
 *
 * @throws {@link InvalidConfiguration} as {@link toSessionValues}. The change itself throws it for the result of a
 *   function.
 */
export function toDataChange(given: unknown): SessionDataUpdater {
  if (typeof given === 'function') {
    return (data) =>
      toSessionValues('what the function of sessions.setData returns', Reflect.apply(given, undefined, [data]))
  }
  const set = toSessionValues('sessions.setData', given)
  const named = new Set(Object.keys(given as object))
  return (data) => ({ ...Object.fromEntries(Object.entries(data).filter(([key]) => !named.has(key))), ...set })
}

function toSessionRecord(name: string, value: object, depth: number): SessionValues {
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') rejectOption(name, 'must not have a member `__proto__`.')
    if (member !== undefined) copy[key] = toSessionMember(`${name}.${key}`, member, depth + 1)
  }
  return copy
}

function toSessionMember(name: string, value: unknown, depth: number): unknown {
  if (depth > maxDataDepth) rejectOption(name, `is nested deeper than ${maxDataDepth} levels, or contains itself.`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) return Array.from(value, (item, at) => toSessionMember(`${name}[${at}]`, item, depth + 1))
  if (isPlainObject(value)) return toSessionRecord(name, value, depth)
  const what = value instanceof Date ? 'a Date: use its `toISOString()`' : describeValue(value)
  return rejectOption(
    name,
    `must be a JSON value (text, finite number, boolean, null, list or plain object), not ${what}.`,
  )
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
