/** The requirement of guards that a request has an API key with some scopes. */
import { catchMaybePromise, mapMaybePromise } from '../../base/maybe-promise.js'
import { readWords } from '../../config/reject-option.js'
import { anyValue, optional, shape } from '../../config/shape.js'
import type { AuthEngine } from '../../engine/auth.js'
import { AdapterError, TooManyRequests } from '../../errors.js'
import type { GuardDenial, GuardedRequest, Rejection } from '../../guards/rejection.js'
import { hasBearerScheme, presentedApiKeys, presentsSession } from '../../session/bearer.js'
import type { Awaitable } from '../../types/identity.js'
import { clientFailures } from '../limits/client-failures.js'
import { notFound, type OrganizationRule } from '../organizations/requirement.js'
import type { OrganizationMember } from '../organizations/types.js'
import { loadChecks } from './loader.js'
import { requireApiKeysOption } from './store.js'
import type { ApiKey } from './types.js'

/** An allowed request. */
export interface AllowedKey {
  readonly kind: 'key'
  readonly apiKey: ApiKey
  /** The organization of the request, if the guard requires one. */
  readonly organization?: OrganizationMember
}

/** The checked options of a guard. */
export interface ApiKeyRule<R> {
  /** Checks whether the headers contain a key, valid or not. */
  isPresent(request: Pick<GuardedRequest, 'headers'>): boolean
  /** Decides on a request. Synchronous for a key that this process has checked a moment ago. */
  decide(request: GuardedRequest, given: R): Awaitable<AllowedKey | Rejection>
}

/** The options of a guard. */
interface ApiKeyRuleOptions<R> {
  /** One scope, or a list. `undefined` only if the guard says so itself. */
  readonly scope: unknown
  readonly isLive?: boolean
  /** The organization that a key must be for. `any`: each, or none. Absent: none. */
  readonly organization?: OrganizationRule<R> | 'any' | undefined
}

/**
 * Creates the rule of a guard.
 *
 * @param guard The name of the guard and its option, for messages.
 * @throws {@link InvalidConfiguration} without `apiKeys`, and for a scope that is not in `apiKeys.scopes`.
 */
export function createApiKeyRule<R>(
  auth: AuthEngine,
  { scope, isLive = false, organization }: ApiKeyRuleOptions<R>,
  guard: string,
): ApiKeyRule<R> {
  const { config } = auth
  const { scopes } = requireApiKeysOption(config, guard)
  const what = 'a scope of `apiKeys.scopes`'
  const needed = scope === undefined ? [] : readWords(guard, scope, { what, known: [...scopes] })
  const check = (request: GuardedRequest, text: string) =>
    mapMaybePromise(loadChecks(config), (checks) => {
      const failures = () => clientFailures(config, request, 'apiKey')
      return checks.check(text, { failures, isFresh: isLive, background: auth.runInBackground })
    })
  const judge = (request: GuardedRequest, apiKey: ApiKey | null, given: R): Awaitable<AllowedKey | Rejection> => {
    if (!apiKey) return unauthorized('invalid_token')
    if (!needed.every((each) => apiKey.scopes.includes(each))) return insufficientScope(needed)
    if (organization === 'any' || (!organization && apiKey.organization === undefined)) return { kind: 'key', apiKey }
    if (!organization) return keyOfOrganization
    if (apiKey.organization === undefined) return notFound
    const { userId } = apiKey
    const member = { userId, organization: apiKey.organization }
    return mapMaybePromise(organization.decide(request, { member }, given), (found) => {
      if (found?.kind !== 'member') return found ?? notFound
      // A key is for one organization, even if its owner is a member of others.
      return found.organization.id === apiKey.organization
        ? { kind: 'key', apiKey, organization: found.organization }
        : notFound
    })
  }
  return {
    isPresent: ({ headers }) => presentedApiKeys(config, headers).length > 0,
    decide(request, given) {
      const { headers } = request
      const [text, ...others] = presentedApiKeys(config, headers)
      if (text === undefined) return unauthorized(hasBearerScheme(headers) ? 'invalid_token' : undefined)
      if (others.length > 0 || presentsSession(config, headers)) return severalCallers
      return catchMaybePromise(
        () => mapMaybePromise(check(request, text), (apiKey) => judge(request, apiKey, given)),
        (error) => {
          if (error instanceof TooManyRequests) return tooManyRequests(error)
          if (!(error instanceof AdapterError)) throw error
          config.logger.error(error)
          return unavailable
        },
      )
    },
  }
}

const guardShape = shape({
  scope: anyValue,
  organization: optional<'any'>((value) => value === 'any', "must be 'any', not {kind}."),
})

/**
 * Creates the rule of a guard that allows keys only. @throws {@link InvalidConfiguration} as {@link createApiKeyRule}, and for another
 * option: a misspelt one would allow keys with any scope.
 */
export function createKeyGuardRule(auth: AuthEngine, options: object, guard: string): ApiKeyRule<undefined> {
  const { organization } = guardShape(guard, options)
  const scope = 'scope' in options ? (options.scope ?? null) : undefined
  return createApiKeyRule(auth, { scope, organization }, `\`scope\` of ${guard}`)
}

/* ---- responses, as RFC 6750 §3 --------------------------------------------------------------------------------- */

/** The challenge to a request without a key. */
export const keyChallenge = 'Bearer realm="api"'

/** The same response for unknown, expired and revoked keys, and for keys of owners who have lost their right. */
function unauthorized(error: 'invalid_token' | undefined): GuardDenial {
  return {
    kind: 'denial',
    status: 401,
    headers: { 'www-authenticate': error ? `${keyChallenge}, error="${error}"` : keyChallenge },
    data: { error: 'Unauthorized', message: 'Send a valid API key as `Authorization: Bearer <key>`.' },
  }
}

function insufficientScope(scopes: readonly string[]): GuardDenial {
  const scope = scopes.join(' ')
  return {
    kind: 'denial',
    status: 403,
    headers: { 'www-authenticate': `${keyChallenge}, error="insufficient_scope", scope="${scope}"` },
    data: { error: 'insufficient_scope', message: 'The API key does not have the scope of this request.', scope },
  }
}

const keyOfOrganization: GuardDenial = {
  kind: 'denial',
  status: 403,
  data: {
    error: 'Forbidden',
    message:
      'The API key is for an organization, and the request is for the data of a user. Send a key without an organization.',
  },
}

const severalCallers: GuardDenial = {
  kind: 'denial',
  status: 400,
  headers: { 'www-authenticate': `${keyChallenge}, error="invalid_request"` },
  data: { error: 'InvalidRequest', message: 'Send one credential: an API key in one header, or a session.' },
}

const unavailable: GuardDenial = {
  kind: 'denial',
  status: 503,
  data: { error: 'AdapterError', message: 'API keys cannot be checked at the moment. Try again later.' },
}

function tooManyRequests(error: TooManyRequests): GuardDenial {
  return {
    kind: 'denial',
    status: 429,
    headers: error.headers(),
    data: { error: error.type, message: error.message },
  }
}
