/** Creates an identity from tokens: reads the profile, from which the provider's `profile` function creates a user. */
import * as oidc from 'openid-client'
import { foldAddress, isCaseStable } from '../../base/email-address.js'
import { isRecord } from '../../base/guards.js'
import { withTimeout } from '../../base/timeout.js'
import type { Identity, ResolvedOAuthProvider } from '../../contracts/index.js'
import { accountUuid, toAccountId } from '../../crypto/account-id.js'
import { AuthError, OAuthProfileParseError } from '../../errors.js'
import type { Profile, TokenSet, User } from '../../types/identity.js'
import type { OAuthClient } from './client.js'
import { dpopOptions } from './client-authentication.js'
import type { ExchangedTokens } from './exchange.js'
import { type Secrets, toSafeError } from './provider-errors.js'

/** Returns the provider's profile of the user: the id_token's claims, or the userinfo response. */
export async function readProfile(client: OAuthClient, exchanged: ExchangedTokens): Promise<Profile> {
  const { provider } = client
  const { claims, tokens, key } = exchanged
  if (claims && provider.idToken && !isWithoutAddress(client, exchanged)) return { ...claims } as Profile
  if (provider.userinfo.request) return assertProfile(await callUserinfoRequest(client, tokens), claims?.sub)
  const accessToken = tokens.access_token ?? ''
  const bound = await dpopOptions(provider, key)
  if (!claims) return client.verifying((configuration) => fetchUserinfo(configuration, accessToken, bound))
  return client.verifying(async (configuration) => {
    // A connection whose provider has no userinfo endpoint.
    if (provider.idToken && !configuration.serverMetadata().userinfo_endpoint) return { ...claims } as Profile
    // A signed userinfo response is verified, even if the id_token is signed with the client secret.
    oidc.enableNonRepudiationChecks(configuration)
    const userinfo = await oidc.fetchUserInfo(configuration, accessToken, claims.sub, bound)
    return { ...userinfo, ...(provider.idToken && claims) } as Profile
  })
}

/**
 * Checks whether the id_token of a connection has no email address. A provider that also issues an access token may return the address
 * from its userinfo endpoint only (OpenID Connect Core §5.4), and customers cannot set `idToken: false`.
 */
function isWithoutAddress({ provider }: OAuthClient, { claims, tokens }: ExchangedTokens): boolean {
  return provider.connection !== undefined && claims?.email === undefined && tokens.access_token !== undefined
}

/**
 * Returns the user and the account. Throws without a usable id, because all users without one would become the same
 * user.
 */
export async function toIdentity(
  client: OAuthClient,
  profile: Profile,
  { tokens, claims }: ExchangedTokens,
): Promise<Identity> {
  const { provider } = client
  const described = await callProfile(client, profile, tokens)
  const providerAccountId = toAccountId(described.id)
  if (providerAccountId === undefined || isStringifiedMissingId(providerAccountId)) {
    throw new OAuthProfileParseError(
      `\`profile\` of the provider "${provider.id}" must return an \`id\`: a non-empty string of at most 255 characters, or an integer.`,
    )
  }
  const email = typeof described.email === 'string' && described.email ? foldAddress(described.email) : undefined
  const addressProved = isEmailVerified(provider, profile, described.email)
  return {
    user: {
      ...described,
      id: accountUuid(provider.id, providerAccountId),
      // Only text is an email address: an adapter might take an object for a query condition.
      ...('email' in described && { email: email ?? null }),
    },
    account: { ...tokens, provider: provider.id, type: provider.type, providerAccountId },
    source: provider,
    profile,
    ...reportedAuthentication(provider, claims ?? {}),
    ...(addressProved !== undefined && { addressProved }),
  }
}

/** Returns the method and time of the authentication that the id_token reports. */
function reportedAuthentication(
  { levelOf, trustsMethod }: ResolvedOAuthProvider,
  claims: Readonly<Record<string, unknown>>,
): Pick<Identity, 'amr' | 'reportedAmr' | 'aal' | 'authenticatedAt'> {
  const { auth_time: at } = claims
  const said = reportedMethods(claims.amr)
  const isTwo = levelOf?.({ ...claims }) === 2
  const isTrusted = (method: string) => isTwo || trustsMethod?.(method) === true
  const reportedAmr = said.filter((method) => !isTrusted(method))
  return {
    amr: said.filter(isTrusted),
    ...(reportedAmr.length > 0 && { reportedAmr }),
    ...(isTwo && { aal: 2 }),
    ...(typeof at === 'number' && { authenticatedAt: at }),
  }
}

/**
 * Returns the methods in the id_token (OpenID Connect Core §2, `amr`); never those of a userinfo response. Number and
 * length are limited to what the values of RFC 8176 need.
 */
function reportedMethods(amr: unknown): readonly string[] {
  const words: readonly unknown[] = Array.isArray(amr) ? amr : []
  return words.filter((word) => typeof word === 'string' && /^[\w.:/-]{1,32}$/.test(word)).slice(0, 8) as string[]
}

/**
 * Checks whether the user's email address is verified: by the provider's own rule (`emailVerified`), otherwise by the
 * claim `email_verified`, which must be boolean `true` (OpenID Connect Core §5.1) and belong to this very address.
 */
function isEmailVerified(provider: ResolvedOAuthProvider, profile: Profile, address: unknown): boolean | undefined {
  const said = provider.emailVerified ? provider.emailVerified(profile) : emailVerifiedClaim(profile, address)
  // In lower case it would be another address (a Kelvin sign becomes a `k`), maybe another user's.
  if (typeof address === 'string' && !isCaseStable(address)) return false
  if (said === undefined) return undefined
  return said === true && typeof address === 'string' && address !== ''
}

function emailVerifiedClaim(profile: Profile, address: unknown): boolean | undefined {
  if (!Object.hasOwn(profile, 'email_verified')) return undefined
  const { email, email_verified: verified } = profile
  const isSame =
    typeof email === 'string' && typeof address === 'string' && email.toLowerCase() === address.toLowerCase()
  return verified === true && isSame && email !== '' && isCaseStable(email)
}

/** Checks for the result of `String(profile.id)` without an id, which would be the same for all users. */
function isStringifiedMissingId(id: string): boolean {
  return id === 'undefined' || id === 'null' || id === 'NaN' || id.startsWith('[object ')
}

async function callProfile({ provider, timeout }: OAuthClient, profile: Profile, tokens: TokenSet): Promise<User> {
  let user: unknown
  try {
    user = await withTimeout(Promise.resolve(provider.profile(profile, tokens)), timeout, '`profile`')
  } catch (error) {
    throw new OAuthProfileParseError(`\`profile\` of the provider "${provider.id}" threw.`, {
      err: toSafeError(error, tokenTexts(tokens)),
      provider: provider.id,
    })
  }
  if (isRecord(user)) return user
  throw new OAuthProfileParseError(`\`profile\` of the provider "${provider.id}" returned no user.`)
}

/** Calls the provider object's `userinfo.request`. Its errors may contain the tokens. */
async function callUserinfoRequest({ provider, fetch, timeout }: OAuthClient, tokens: TokenSet): Promise<unknown> {
  try {
    const asked = Promise.resolve(provider.userinfo.request?.({ provider, fetch, tokens }))
    return await withTimeout(asked, timeout, '`userinfo.request`')
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw toSafeError(error, tokenTexts(tokens))
  }
}

async function fetchUserinfo(
  configuration: oidc.Configuration,
  accessToken: string,
  bound: oidc.DPoPOptions | undefined,
): Promise<Profile> {
  const url = new URL(configuration.serverMetadata().userinfo_endpoint ?? '')
  const headers = new Headers({ accept: 'application/json' })
  const response = await oidc.fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers, bound)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new TypeError(`the userinfo endpoint answered with status ${response.status}`)
  }
  return assertProfile(await response.json(), undefined)
}

/** Checks that a userinfo response is a JSON object, with the `sub` of the id_token (OpenID Connect Core §5.3.2). */
function assertProfile(profile: unknown, sub: string | undefined): Profile {
  if (!isRecord(profile)) {
    throw new TypeError('the userinfo response is not a JSON object')
  }
  if (sub !== undefined && 'sub' in profile && profile.sub !== sub) {
    throw new TypeError('the userinfo response is about another user than the id_token')
  }
  return profile
}

/** Returns the texts that no logged message may contain. */
function tokenTexts({ access_token, refresh_token, id_token }: TokenSet): Secrets {
  return [access_token, refresh_token, id_token]
}
