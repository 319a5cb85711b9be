/** The guard for routes: it allows signed-in users, and rejects all other requests, even after an error. */
import type { Request, Response } from 'express'
import { mapMaybePromise } from './base/maybe-promise.js'
import { getEngine } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import type { ApiKeyRequirement, ApiKeyScopeOf } from './features/api-keys/types.js'
import type {
  OrganizationRequirement,
  OrganizationRoles,
  OrganizationRolesOf,
  WithMember,
} from './features/organizations/types.js'
import type { SessionOf } from './get-session.js'
import {
  assertCalledByApplication,
  createGuardHandler,
  type GuardedSession,
  type SessionGuard,
  type SessionOrKeyGuard,
  sendRejection,
  toGuardedRequest,
} from './guard.js'
import type { Rejection } from './guards/rejection.js'
import { type Allowed, createSessionRule, type SessionGuardOptions } from './guards/session-rule.js'
import { type FoundReading, toFound } from './session/reader.js'
import type { ServerAuthConfig } from './types/config.js'
import type { GuardRequirements } from './types/guards.js'
import type { Awaitable } from './types/identity.js'

/** The options of the guard {@link requireSession}. */
export interface RequireSessionOptions<S> extends GuardRequirements {
  /**
   * Checks whether the user may access the route. `false` results in 403. It is called before `aal`, `maxAge` and `amr`
   * are checked, so the user may not have proved them yet. Default: all signed-in users may.
   */
  allow?(session: GuardedSession<S>, req: Request): Awaitable<boolean>
}

/** The options of the guard {@link requireSession} for members of an organization. */
export interface RequireOrganizationOptions<S, Roles extends OrganizationRoles = OrganizationRoles>
  extends RequireSessionOptions<S>,
    OrganizationRequirement<Request, Roles> {}

/** The options of the guard {@link requireSession} for signed-in users and API keys. */
export interface RequireSessionOrKeyOptions<Scope extends string = string>
  extends Pick<GuardRequirements, 'signInUrl' | 'live' | 'impersonated'>,
    ApiKeyRequirement<Scope> {}

/** The options of the guard {@link requireSession} for members of an organization, and API keys of them. */
export interface RequireOrganizationOrKeyOptions<
  Scope extends string = string,
  Roles extends OrganizationRoles = OrganizationRoles,
> extends RequireSessionOrKeyOptions<Scope>,
    OrganizationRequirement<Request, Roles> {}

/**
 * Creates a guard. Behind it the session is on `res.locals.session`.
 * Browsers are redirected to the sign-in page and return to the same URL. API clients get `401 { error: 'Unauthorized',
 * message }`, or 403 with `Forbidden` if `allow` returns `false`. Browsers that send a form get a page with these
 * statuses, from which users sign in and return to the form. If more proof is required (`aal`, `maxAge`, `amr`),
 * browsers are redirected to the step-up, and API clients get `401 { error: 'insufficient_user_authentication',
 * stepUpUrl }` with `WWW-Authenticate` (RFC 9470). An error in the configuration or in a callback is passed to
 * `next(error)`, so the request is rejected.
 * With `apiKey`, requests with an API key are allowed too: `res.locals.apiKey` is the key and `res.locals.session` is `null`, or the
 * other way round. Rejected keys get the responses of `auth.apiKeys.require`.
 * With `organization`, users who are no member of it get 404, members without the right 403, and `res.locals.organization` is
 * `{ id, role }` behind the guard.
 * @example
 * ```ts
 * app.use('/admin', requireSession(config, { allow: (session) => session.role === 'admin' }), adminRouter)
 * ```
 */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireOrganizationOrKeyOptions<ApiKeyScopeOf<C>, OrganizationRolesOf<C>>,
): SessionOrKeyGuard<SessionOf<C>, ApiKeyScopeOf<C>, WithMember<OrganizationRolesOf<C>>>
/** Creates a guard for signed-in users and API keys. */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireSessionOrKeyOptions<ApiKeyScopeOf<C>>,
): SessionOrKeyGuard<SessionOf<C>, ApiKeyScopeOf<C>>
/** Creates a guard for members of an organization. */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireOrganizationOptions<SessionOf<C>, OrganizationRolesOf<C>>,
): SessionGuard<SessionOf<C>, WithMember<OrganizationRolesOf<C>>>
/** Creates a guard that needs no organization. */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options?: RequireSessionOptions<SessionOf<C>>,
): SessionGuard<SessionOf<C>>
/** @internal */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: SessionGuardOptions<GuardedSession<SessionOf<C>>, Request> = {},
): SessionGuard<SessionOf<C>> {
  assertCalledByApplication(config, 'requireSession', 'requireSession(config)')
  assertCalledByApplication(options, 'auth.requireSession', 'auth.requireSession()')
  if (!config) throw new InvalidConfiguration(noConfiguration)
  const auth = getEngine(config)
  const rule = createSessionRule<GuardedSession<SessionOf<C>>, Request>(auth, options, 'requireSession')

  type Found = GuardedSession<SessionOf<C>>

  function isAllowed(req: Request, res: Response): Awaitable<boolean> {
    const { keys } = rule
    const decision = keys?.isPresent(req) ? keys.decide(toGuardedRequest(auth, req), req) : decideBySession(req, res)
    return mapMaybePromise(decision, (decided) => {
      if (decided === false || res.headersSent) return false
      if (decided.kind !== 'allowed' && decided.kind !== 'key') return sendRejection({ auth, req, res }, decided)
      const locals: Record<string, unknown> = res.locals
      locals.session = decided.kind === 'key' ? null : decided.session
      if (keys) locals.apiKey = decided.kind === 'key' ? decided.apiKey : null
      if (decided.organization) locals.organization = decided.organization
      return true
    })
  }

  function decideBySession(req: Request, res: Response): Awaitable<Allowed<Found> | Rejection | false> {
    const read: Awaitable<FoundReading> = rule.isLive ? auth.readLive(req) : toFound(auth.readingOf(req))
    return mapMaybePromise(read, ({ session: found, reading }) => {
      if (res.headersSent) return false
      // The value comes from the `session` callback of this configuration.
      const session = found as Found | null
      return rule.decide(toGuardedRequest(auth, req), { session, reading }, req)
    })
  }

  return createGuardHandler(isAllowed)
}

const noConfiguration =
  'requireSession got no configuration. Call requireSession(config, options), or auth.requireSession(options) of defineAuth.'
