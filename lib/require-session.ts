/** A guard for routes: lets signed-in people through, and nobody else, whatever goes wrong. */
import type { Request, RequestHandler, Response } from 'express'
import { after } from './base/after.js'
import { anything, boolean, optional, seconds, shape, text } from './config/shape.js'
import type { ResolvedConfig } from './contracts/index.js'
import { authOf } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import type { SessionOf } from './get-session.js'
import { askForMore, askToSignIn, deny, guard } from './guard.js'
import { type AuthenticationRequirement, meets, requirementParams, wantsTwo } from './principal/index.js'
import type { ServerAuthConfig } from './types/config.js'
import type { Awaitable } from './types/identity.js'

/** How a guard decides and where it sends people. */
export interface RequireSessionOptions<S> {
  /** Whether this person may see this route. `false` answers 403. Default: everybody who is signed in. */
  allow?(session: S, req: Request): Awaitable<boolean>
  /**
   * Where people sign in; gets `callbackUrl` in its query. Default: `pages.signIn`, else `<basePath>/signin`: set
   * `basePath` where the Router is not mounted on `/auth`.
   */
  signInUrl?: string
  /**
   * Asks the store at each request whether the session was ended, or its user disabled, a moment ago in another process: one
   * query more. For what must not be late, such as a payment. JWT sessions need `session.revocation` for it. Default `false`.
   */
  live?: boolean
  /**
   * 2: two factors, or one that counts for two, proved in this session. Who has proved one is sent to their second factor, or to set one
   * up. Needs `factors`, a provider of passkeys, or `trustAcr` of a provider.
   */
  aal?: 2
  /**
   * Seconds: the person has signed in, or proved a second factor, no longer ago; at least 1. Others confirm that it is them, and come back.
   */
  maxAge?: number
  /** At least one of these methods (RFC 8176 §2), such as `['hwk', 'swk']` for a passkey. */
  amr?: readonly string[]
}

/**
 * Makes a guard. The session is on `res.locals.session` behind it.
 *
 * Browsers are sent to the sign-in page and come back to exactly where they were. Other clients get
 * `401 { error: 'Unauthorized', message }`, or 403 with `Forbidden` where `allow` says no; browsers that send a form get a page with these
 * statuses, by which users sign in and come back to the form. Where more is to be proved (`aal`, `maxAge`, `amr`),
 * browsers go to prove it, and other clients get `401 { error: 'insufficient_user_authentication', stepUpUrl }` with `WWW-Authenticate`
 * (RFC 9470). An error in the configuration
 * or in a callback goes to `next(error)`: nobody gets through by it.
 *
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
  const auth = authOf(config)
  const { pages, basePath, session: kept } = auth.config
  if (options.live && kept.strategy === 'jwt' && !kept.revocation) {
    throw new InvalidConfiguration(
      '`live` of requireSession needs `session.revocation`: a JWT session is not noted anywhere else.',
    )
  }
  const ownPage = options.signInUrl ?? pages.signIn
  const requirement = requirementOf(auth.config, options)
  if (ownPage === undefined || requirement) auth.expectMount(basePath)
  const signInUrl = ownPage ?? `${basePath}/signin`

  function decide(req: Request, res: Response): Awaitable<boolean> {
    // The type is what the `session` callback of this very configuration returns.
    const read = options.live ? auth.readLive(req) : auth.readRequest(req)
    return after(read as Awaitable<SessionOf<C> | null>, (session) => {
      if (res.headersSent) return false
      if (!session?.user) return askToSignIn({ auth, req, res }, signInUrl)
      if (requirement && !meets(auth.readingOf(req)?.proofs ?? [], requirement)) {
        return askForMore({ auth, req, res }, { url: stepUpUrl(auth.config, requirement), requirement })
      }
      return after(options.allow ? options.allow(session, req) : true, (allowed) => {
        if (res.headersSent) return false
        if (allowed !== true) return deny({ auth, req, res }, 403, forbidden)
        res.locals.session = session
        return true
      })
    })
  }

  return guard(decide)
}

const forbidden = { reason: 'forbidden', data: { error: 'Forbidden', message: 'You may not see this.' } } as const

/** Where more is proved. */
function stepUpUrl({ basePath, factors }: ResolvedConfig, requirement: AuthenticationRequirement): string {
  if (!factors) return `${basePath}/signin?${new URLSearchParams({ reauth: String(requirement.maxAge ?? 1) })}`
  return `${basePath}/two-factor?${new URLSearchParams({ ...requirementParams(requirement) })}`
}

/** What the guard wants; `undefined` for most. @throws {@link InvalidConfiguration} for what nobody could ever prove. */
function requirementOf(
  { factors, providers }: ResolvedConfig,
  requirement: AuthenticationRequirement,
): AuthenticationRequirement | undefined {
  const { aal, maxAge, amr } = requirement
  if (aal === undefined && maxAge === undefined && amr === undefined) return undefined
  const all = [...providers.values()]
  const canReachTwo =
    factors || all.some((each) => each.kind === 'webauthn' || (each.kind === 'oauth' && each.levelOf !== undefined))
  if (wantsTwo(requirement) && !canReachTwo) {
    throw new InvalidConfiguration(
      '`aal: 2` of requireSession can be reached by nobody: set `factors: [Totp(), RecoveryCodes()]`, or `trustAcr` of a provider.',
    )
  }
  return { aal, maxAge, amr }
}

const guardShape = shape({
  allow: anything,
  signInUrl: text,
  live: boolean,
  aal: optional<2>((value) => value === 2, 'must be 2, not {kind}. Whoever is signed in has level 1.'),
  maxAge: seconds(1),
  amr: optional<readonly string[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every((word) => /^[\w.:/-]{1,32}$/.test(word)),
    'must be a list of words of RFC 8176, such as ["hwk"], not {kind}.',
  ),
})

/** A guard whose `allow` is misspelt, or not defined, would let everybody through: it is refused when it is made. */
function assertGuardOptions(options: object): void {
  guardShape('requireSession', options)
  if ('allow' in options && typeof options.allow !== 'function') {
    throw new InvalidConfiguration(
      '`allow` of requireSession must be a function. Leave it out to let everybody in who is signed in.',
    )
  }
}
