/** The guard for routes: it allows signed-in users, and rejects all other requests, even after an error. */
import type { Request, RequestHandler, Response } from 'express'
import { mapMaybePromise } from './base/maybe-promise.js'
import { anyValue, boolean, nonEmptyText, optional, seconds, shape } from './config/shape.js'
import type { ResolvedConfig } from './contracts/index.js'
import { getEngine } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import type { SessionOf } from './get-session.js'
import { createGuard, requestSignIn, requestStepUp, sendDenial } from './guard.js'
import {
  type AuthenticationRequirement,
  meetsRequirement,
  requirementParams,
  requiresTwoFactors,
} from './principal/index.js'
import type { ServerAuthConfig } from './types/config.js'
import type { Awaitable } from './types/identity.js'

/** The options of the guard {@link requireSession}. */
export interface RequireSessionOptions<S> {
  /**
   * Checks whether the user may access the route. `false` results in 403. It is called before `aal`, `maxAge` and `amr`
   * are checked, so the user may not have proved them yet. Default: all signed-in users may.
   */
  allow?(session: S, req: Request): Awaitable<boolean>
  /**
   * The sign-in page, which gets `callbackUrl` in its query. Default: `pages.signIn`, or `<basePath>/signin`: set
   * `basePath` if the Router is not mounted on `/auth`.
   */
  signInUrl?: string
  /**
   * Queries the store at each request whether another process has just ended the session or disabled its user: one more
   * query. For sensitive actions, such as a payment. JWT sessions require `session.revocation`. Default `false`.
   */
  live?: boolean
  /**
   * 2 requires two factors in this session, or one that counts as two. Users with one are redirected to their second
   * factor, or to its setup. Requires `factors`, a passkey provider, or `trustAcr` of a provider.
   */
  aal?: 2
  /**
   * The maximum seconds since the sign-in or the second factor; at least 1. Other users are redirected to confirm their
   * identity, and return.
   */
  maxAge?: number
  /** The accepted methods (RFC 8176 §2), such as `['hwk', 'swk']` for a passkey. One of them is required. */
  amr?: readonly string[]
}

/**
 * Creates a guard. Behind it the session is on `res.locals.session`.
 * Browsers are redirected to the sign-in page and return to the same URL. API clients get `401 { error: 'Unauthorized',
 * message }`, or 403 with `Forbidden` if `allow` returns `false`. Browsers that send a form get a page with these
 * statuses, from which users sign in and return to the form. If more proof is required (`aal`, `maxAge`, `amr`),
 * browsers are redirected to the step-up, and API clients get `401 { error: 'insufficient_user_authentication',
 * stepUpUrl }` with `WWW-Authenticate` (RFC 9470). An error in the configuration or in a callback is passed to
 * `next(error)`, so the request is rejected.
 * @example
 * ```ts
 * app.use('/admin', requireSession(config, { allow: (session) => session.role === 'admin' }), adminRouter)
 * ```
 */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireSessionOptions<SessionOf<C>> = {},
): RequestHandler {
  assertGuardOptions(options)
  const auth = getEngine(config)
  const { pages, basePath, session: sessionConfig } = auth.config
  if (options.live && sessionConfig.strategy === 'jwt' && !sessionConfig.revocation) {
    throw new InvalidConfiguration(
      '`live` of requireSession needs `session.revocation`, because JWT sessions are stored nowhere else. Set it, or remove `live`.',
    )
  }
  const ownPage = options.signInUrl ?? pages.signIn
  const requirement = readRequirement(auth.config, options)
  if (ownPage === undefined || requirement) auth.expectMount(basePath)
  const signInUrl = ownPage ?? `${basePath}/signin`

  function isAllowed(req: Request, res: Response): Awaitable<boolean> {
    // The value comes from the `session` callback of this configuration.
    const read = options.live ? auth.readLive(req) : auth.readRequest(req)
    return mapMaybePromise(read as Awaitable<SessionOf<C> | null>, (session) => {
      if (res.headersSent) return false
      if (!session?.user) return requestSignIn({ auth, req, res }, signInUrl)
      // Read before `allow`, which may replace the session of the request.
      const proofs = requirement && (auth.readingOf(req)?.proofs ?? [])
      return mapMaybePromise(options.allow ? options.allow(session, req) : true, (allowed) => {
        if (res.headersSent) return false
        if (allowed !== true) return sendDenial({ auth, req, res }, 403, forbidden)
        if (requirement && !meetsRequirement(proofs ?? [], requirement)) {
          return requestStepUp({ auth, req, res }, { url: stepUpUrl(auth.config, requirement), requirement })
        }
        res.locals.session = session
        return true
      })
    })
  }

  return createGuard(isAllowed)
}

const forbidden = { reason: 'forbidden', data: { error: 'Forbidden', message: 'You may not see this.' } } as const

/** Returns the URL of the step-up. */
function stepUpUrl({ basePath, factors }: ResolvedConfig, requirement: AuthenticationRequirement): string {
  if (!factors) return `${basePath}/signin?${new URLSearchParams({ reauth: String(requirement.maxAge ?? 1) })}`
  return `${basePath}/two-factor?${new URLSearchParams({ ...requirementParams(requirement) })}`
}

/**
 * Returns the guard's requirement; `undefined` if there is none. @throws {@link InvalidConfiguration} for a requirement
 * that cannot be met.
 */
function readRequirement(
  { factors, providers }: ResolvedConfig,
  requirement: AuthenticationRequirement,
): AuthenticationRequirement | undefined {
  const { aal, maxAge, amr } = requirement
  if (aal === undefined && maxAge === undefined && amr === undefined) return undefined
  const all = [...providers.values()]
  const canReachTwo =
    factors || all.some((each) => each.kind === 'webauthn' || (each.kind === 'oauth' && each.levelOf !== undefined))
  if (requiresTwoFactors(requirement) && !canReachTwo) {
    throw new InvalidConfiguration(
      '`aal: 2` of requireSession cannot be reached. Set `factors: [Totp(), RecoveryCodes()]`, or `trustAcr` of a provider.',
    )
  }
  return { aal, maxAge, amr }
}

const guardShape = shape({
  allow: anyValue,
  signInUrl: nonEmptyText,
  live: boolean,
  aal: optional<2>((value) => value === 2, 'must be 2, not {kind}. Every signed-in user has level 1.'),
  maxAge: seconds(1),
  amr: optional<readonly string[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every((word) => /^[\w.:/-]{1,32}$/.test(word)),
    'must be a list of words of RFC 8176, such as ["hwk"], not {kind}.',
  ),
})

/**
 * Validates the options. A misspelt or undefined `allow` would allow all requests, so it is rejected at construction.
 */
function assertGuardOptions(options: object): void {
  guardShape('requireSession', options)
  if ('allow' in options && typeof options.allow !== 'function') {
    throw new InvalidConfiguration(
      '`allow` of requireSession must be a function. Omit it to allow every signed-in user.',
    )
  }
}
