/** The configuration of server-auth: the file to copy into an application of yours. */
import type { ServerAuthConfig } from 'server-auth'
import Credentials from 'server-auth/providers/credentials'
import { checkPassword } from './users.js'

/**
 * What an OpenID provider gives you when you register an application there.
 * What is left out comes from AUTH_OIDC_ISSUER, AUTH_OIDC_ID and AUTH_OIDC_SECRET: `oidc` is the provider's id below.
 */
export interface OpenIdSettings {
  readonly name: string
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
}

// What the callbacks below add is told to TypeScript once, and known everywhere.
declare module 'server-auth' {
  interface Session {
    /** The name of the provider by which the person signed in. */
    signedInWith?: string
  }
}

/** Sign-in through an OpenID provider and, where `withPasswords` says so, with the demo users of this application. */
export function createAuthConfig(openId: OpenIdSettings, { withPasswords = true } = {}): ServerAuthConfig {
  return {
    // The secret comes from AUTH_SECRET, the site's own URL from AUTH_URL (needed in production).
    providers: [
      // A provider is a plain object. For the well-known ones there are functions: `server-auth/providers/google` …
      { id: 'oidc', type: 'oidc', ...openId },
      ...(withPasswords ? [passwords] : []),
    ],
    callbacks: {
      // What the token holds. It is encrypted and lives in a cookie.
      jwt({ token, trigger, account, session }) {
        if (trigger === 'update') return { ...token, ...readProfile(session) }
        if (account) return { ...token, signedInWith: account.type === 'oidc' ? openId.name : passwords.name }
        return token
      },
      // What of it the application and the browser see.
      session({ session, token }) {
        const { sub, signedInWith } = token ?? {}
        return {
          ...session,
          user: { ...session.user, ...(sub !== undefined && { id: sub }) },
          ...(typeof signedInWith === 'string' && { signedInWith }),
        }
      },
    },
  }
}

const passwords = Credentials({
  name: 'User name and password',
  credentials: {
    username: { label: 'User name', autocomplete: 'username', required: true },
    password: { label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
  },
  // `null` refuses the sign-in. Say the same for an unknown user and a wrong password.
  authorize: ({ username, password }) => checkPassword(username, password),
})

/** The longest name a person may choose. */
export const maxNameLength = 80

/**
 * What a person may change in the session: the name, nothing else.
 * The data comes from the browser. Without this check it could put anything into the token: a role, another id.
 */
function readProfile(data: unknown): { name?: string } {
  if (typeof data !== 'object' || data === null || !('name' in data) || typeof data.name !== 'string') return {}
  const name = data.name.trim()
  return name === '' || name.length > maxNameLength ? {} : { name }
}
