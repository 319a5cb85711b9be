/** The rule of guards that need a session: whether a request is allowed, for Express and the shim. */
import { mapMaybePromise } from '../base/maybe-promise.js'
import { warnOnce } from '../base/warn-once.js'
import { describeValue } from '../config/reject-option.js'
import { anyValue, boolean, nonEmptyText, optional, seconds, shape } from '../config/shape.js'
import type { ResolvedConfig, SessionReading } from '../contracts/index.js'
import type { AuthEngine } from '../engine/index.js'
import { InvalidConfiguration } from '../errors.js'
import { type ApiKeyRule, createApiKeyRule, keyChallenge } from '../features/api-keys/requirement.js'
import type { ApiKeyRequirement } from '../features/api-keys/types.js'
import { createOrganizationRule, type OrganizationRule } from '../features/organizations/requirement.js'
import type { OrganizationMember, OrganizationRequirement } from '../features/organizations/types.js'
import {
  type AuthenticationRequirement,
  meetsRequirement,
  requirementParams,
  requiresTwoFactors,
} from '../principal/index.js'
import type { GuardRequirements } from '../types/guards.js'
import type { Awaitable } from '../types/identity.js'
import type { Session } from '../types/session.js'
import {
  forbidden,
  type GuardedRequest,
  impersonatedDenial,
  type Rejection,
  requestSignIn,
  requestStepUp,
} from './rejection.js'

/** The options of a guard, before they are checked. */
export interface SessionGuardOptions<S, R>
  extends GuardRequirements,
    Partial<OrganizationRequirement<R>>,
    Partial<ApiKeyRequirement> {
  allow?(session: S, request: R): Awaitable<boolean>
}

/** A session that was read for a guard. */
export interface ReadSession<S> {
  readonly session: S | null
  /** The engine's reading, whose proofs are computed when they are read. */
  readonly reading: Pick<SessionReading, 'proofs' | 'actor' | 'member'> | null
}

/** An allowed request. */
export interface Allowed<S> {
  readonly kind: 'allowed'
  readonly session: S
  /** The organization of the request, if the guard requires one. */
  readonly organization?: OrganizationMember
}

/** The checked options of a guard. */
export interface SessionRule<S, R> {
  /** `true` if the store is queried whether the session still exists. */
  readonly isLive: boolean
  /** The rule for requests with an API key, which have no session. Absent: keys are ignored. */
  readonly keys?: ApiKeyRule<R> | undefined
  /** Decides on a request. Synchronous if `allow` is. */
  decide(request: GuardedRequest, read: ReadSession<S>, given: R): Awaitable<Allowed<S> | Rejection>
}

/**
 * Creates the rule of a guard.
 * @param guard The name of the guard, for messages.
 * @throws {@link InvalidConfiguration} for an invalid option, or a requirement that cannot be met.
 */
export function createSessionRule<S extends Pick<Session, 'user'>, R>(
  auth: AuthEngine,
  options: SessionGuardOptions<S, R>,
  guard: string,
): SessionRule<S, R> {
  assertGuardOptions(options, guard)
  const { pages, basePath, session } = auth.config
  if (options.live && session.strategy === 'jwt' && !session.revocation) {
    throw new InvalidConfiguration(
      `\`live\` of ${guard} needs \`session.revocation\`, because JWT sessions are stored nowhere else. Set it, or remove \`live\`.`,
    )
  }
  const customPage = options.signInUrl ?? pages.signIn
  const requirement = readRequirement(auth.config, options, guard)
  if (customPage === undefined || requirement) auth.expectMount(basePath)
  const signInUrl = customPage ?? `${basePath}/signin`
  const organization = createOrganizationRule<R>(auth, options, guard)
  const keys = createKeyRule(auth, options, guard, organization)
  const signIn = (request: GuardedRequest) => {
    const rejection = requestSignIn(auth.config, request, signInUrl)
    if (!keys || rejection.kind === 'redirect') return rejection
    // Scripts learn that a key is accepted, too (RFC 9110 §15.5.2).
    return { ...rejection, headers: { 'www-authenticate': keyChallenge, ...rejection.headers } }
  }
  function judge(
    request: GuardedRequest,
    read: ReadSession<S> & { readonly session: S },
    given: R,
  ): Awaitable<Allowed<S> | Rejection> {
    const { session, reading } = read
    // First: users without the right must not be sent to set up a second factor.
    return mapMaybePromise(options.allow ? options.allow(session, given) : true, (allowed) => {
      if (allowed !== true) {
        if (allowed !== false) warnOnce(auth.config, 'allow-result', allowMessage(guard, allowed))
        return forbidden
      }
      if (!requirement || meetsRequirement(reading?.proofs ?? [], requirement)) return { kind: 'allowed', session }
      return requestStepUp(request, { url: stepUpUrl(auth.config, requirement), requirement })
    })
  }
  return {
    isLive: options.live === true,
    keys,
    decide(request, { session, reading }, given) {
      if (!session?.user) return signIn(request)
      if (options.impersonated === false && (!reading || reading.actor)) return impersonatedDenial
      if (!organization) return judge(request, { session, reading }, given)
      return mapMaybePromise(organization.decide(request, reading, given), (found) => {
        if (!found) return signIn(request)
        if (found.kind !== 'member') return found
        return mapMaybePromise(judge(request, { session, reading }, given), (decision) =>
          decision.kind === 'allowed' ? { ...decision, organization: found.organization } : decision,
        )
      })
    },
  }
}

/** The requirements that no key can meet. Ignored for keys, they would allow more requests than they say. */
const sessionOnly = ['allow', 'aal', 'maxAge', 'amr'] as const

/** Creates the rule for requests with a key; `undefined` if the guard allows none. @throws {@link InvalidConfiguration} */
function createKeyRule<S, R>(
  auth: AuthEngine,
  options: SessionGuardOptions<S, R>,
  guard: string,
  organization: OrganizationRule<R> | undefined,
): ApiKeyRule<R> | undefined {
  if (!('apiKey' in options)) return undefined
  const other = sessionOnly.find((name) => options[name] !== undefined)
  if (other !== undefined) {
    throw new InvalidConfiguration(
      `\`${other}\` of ${guard} says nothing about API keys, so it cannot be combined with \`apiKey\`. Remove one of them, or check keys on a route of their own with \`apiKeys.require\`.`,
    )
  }
  const rule = { scope: options.apiKey ?? null, isLive: options.live === true, organization }
  return createApiKeyRule(auth, rule, `\`apiKey\` of ${guard}`)
}

const allowMessage = (guard: string, returned: unknown) =>
  `\`allow\` of ${guard} must return \`true\` or \`false\`, not ${describeValue(returned)}. The user was rejected.`

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
  guard: string,
): AuthenticationRequirement | undefined {
  const { aal, maxAge, amr } = requirement
  if (aal === undefined && maxAge === undefined && amr === undefined) return undefined
  const canReachTwo = () =>
    factors !== undefined ||
    [...providers.values()].some(
      (each) => each.kind === 'webauthn' || (each.kind === 'oauth' && each.levelOf !== undefined),
    )
  if (requiresTwoFactors(requirement) && !canReachTwo()) {
    throw new InvalidConfiguration(
      `\`aal: 2\` of ${guard} cannot be reached. Set \`factors: [Totp(), RecoveryCodes()]\`, or \`trustAcr\` of a provider.`,
    )
  }
  return { aal, maxAge, amr }
}

const guardShape = shape({
  allow: anyValue,
  apiKey: anyValue,
  organization: anyValue,
  role: anyValue,
  permission: anyValue,
  signInUrl: nonEmptyText,
  live: boolean,
  aal: optional<2>((value) => value === 2, 'must be 2, not {kind}. Every signed-in user has level 1.'),
  maxAge: seconds(1),
  impersonated: optional<false>(
    (value) => value === false,
    'must be false. Without the option, the guard allows impersonated sessions too.',
  ),
  amr: optional<readonly string[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every((word) => /^[\w.:/-]{1,32}$/.test(word)),
    'must be a list of words of RFC 8176, such as ["hwk"], not {kind}.',
  ),
})

/**
 * Validates the options. A misspelt or undefined `allow` would allow all requests, so it is rejected at construction.
 */
function assertGuardOptions(options: object, guard: string): void {
  guardShape(guard, options)
  if ('allow' in options && typeof options.allow !== 'function') {
    throw new InvalidConfiguration(`\`allow\` of ${guard} must be a function. Omit it to allow every signed-in user.`)
  }
}
