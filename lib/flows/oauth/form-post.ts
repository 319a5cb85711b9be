/**
 * `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): browsers send no `SameSite=Lax` cookies with a POST from the
 * provider's site, so the attempt is missing. The POST is answered with a redirect to the same URL by GET, which has the
 * cookies. What the provider sent goes along in the query, sealed for a minute.
 */

import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import type { Profile } from '../../types/identity.js'

/** Seconds between a provider's POST and the GET it is answered with. */
const maxAge = 60

/** Answers the provider's POST. */
export async function relayFormPost(context: AuthContext, provider: ResolvedOAuthProvider): Promise<AuthResponse> {
  const fields = Object.entries(context.request.body).filter(([, value]) => typeof value === 'string')
  const payload = { provider: provider.id, fields: Object.fromEntries(fields) }
  const sealed = await seal('form-post', payload, { secrets: context.config.secrets, maxAge })
  return { kind: 'redirect', to: context.urls.endpoint('callback', provider.id, { form_post: sealed }) }
}

/** What the provider sent, from the query or from the relayed POST. @throws {@link InvalidCheck} */
export async function readAnswer(
  { config, request }: AuthContext,
  provider: ResolvedOAuthProvider,
): Promise<URLSearchParams> {
  const sealed = request.url.searchParams.get('form_post')
  if (!provider.formPost || sealed === null) return request.url.searchParams
  const payload = await unseal('form-post', sealed, config.secrets)
  if (payload?.provider !== provider.id) {
    throw new InvalidCheck('The relayed answer of the provider is not ours, or too old.')
  }
  return new URLSearchParams(payload.fields as Record<string, string>)
}

/**
 * Adds the JSON field `user` that some providers post beside the code (Sign in with Apple: the name, at the first sign-in).
 * It is not signed, so it never replaces a claim.
 */
export function withPostedUser(profile: Profile, provider: ResolvedOAuthProvider, answer: URLSearchParams): Profile {
  const posted = provider.formPost ? answer.get('user') : null
  if (posted === null || Object.hasOwn(profile, 'user')) return profile
  try {
    const user: unknown = JSON.parse(posted)
    return typeof user === 'object' && user !== null ? { ...profile, user } : profile
  } catch {
    return profile
  }
}
