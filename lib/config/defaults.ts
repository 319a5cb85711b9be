/** What holds when the developer says nothing. */
import type { CallbacksOptions, Profile, User } from '../types.js'

/** Seconds. */
export const defaultMaxAge = 30 * 24 * 60 * 60
/** Seconds. */
export const defaultUpdateAge = 24 * 60 * 60
/** Seconds. */
export const defaultTimeout = 10

/** The default callbacks: everybody who proved an identity may come in, and nobody is sent off the site. */
export const defaultCallbacks: Required<CallbacksOptions> = {
  signIn: () => true,
  redirect: ({ url, baseUrl }) => {
    const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : undefined
    return target?.origin === new URL(baseUrl).origin ? target.href : baseUrl
  },
  jwt: ({ token }) => token,
  session: ({ session }) => session,
}

/** The default `profile`: the standard claims (OpenID Connect Core §5.1). */
export function defaultProfile(profile: Profile): User {
  return {
    id: (profile.sub ?? profile.id) as string,
    name: profile.name ?? profile.nickname ?? profile.preferred_username ?? null,
    email: profile.email ?? null,
    image: typeof profile.picture === 'string' ? profile.picture : null,
  }
}
