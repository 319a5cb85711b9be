/** What holds when the developer says nothing. */

import { parseUrl } from '../base/url.js'
import type { Language } from '../contracts/index.js'
import en from '../i18n/en.js'
import type { CallbacksOptions } from '../types/config.js'
import type { Account, Profile, TokenSet, User } from '../types/identity.js'

/** Seconds, for providers and for the developer's functions. */
export const defaultTimeout = 10
/** Seconds, for the adapter: a request waits for several methods of it, one after the other. */
export const defaultAdapterTimeout = 5
/** Seconds, for what is known of sessions that ended elsewhere. */
export const defaultMaxStale = 10

/** Seconds that an access token must be good for at the least to be used: one that is on its way ends meanwhile. */
export const defaultMinTtl = 30

/** The language of the pages and mails. */
export const english: Language = Object.freeze({ locale: 'en', messages: en })

/** A person who waits for a mail asks again, twice; a class in one room asks all at once. The window is in seconds. */
export const defaultMailLimit = Object.freeze({ perAddress: 5, perClient: 50, window: 15 * 60 })

/** The default callbacks: everybody who proved an identity may come in, and nobody is sent off the site. */
export const defaultCallbacks: Required<CallbacksOptions> = {
  signIn: () => true,
  redirect: ({ url, baseUrl }) => {
    const target = parseUrl(url, baseUrl)
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

/** The fields of an account's record. Others (`expires_in` counts from a moment that nobody stores) have no column. */
const accountFields = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

/** The default `account`: the token set's standard fields, those that are there. */
export function defaultAccount(tokens: TokenSet): Partial<Account> {
  const all: Partial<Account> = { ...tokens }
  const present = accountFields.filter((name) => all[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, all[name]]))
}
