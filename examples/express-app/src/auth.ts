/** The configuration of server-auth: the file to copy into an application of yours. */
import type { Adapter, ServerAuthConfig } from 'server-auth'
import Credentials from 'server-auth/providers/credentials'
import Email from 'server-auth/providers/email'
import Passkey from 'server-auth/providers/passkey'
import type { MailSettings } from './settings.js'
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

/** The ways to sign in. */
export interface Ways {
  readonly openId: OpenIdSettings
  /** For links by e-mail. */
  readonly mail?: MailSettings
  readonly withPasskeys?: boolean
  /** The demo users of this application. */
  readonly withPasswords?: boolean
}

/** The id of the OpenID provider: it stands in URLs, in the database and in the names of environment variables. */
export const openIdProvider = 'oidc'

// What the callback below adds is told to TypeScript once, and known everywhere.
declare module 'server-auth' {
  interface Session {
    /** Whether the person showed that the e-mail address is theirs. */
    emailProved?: boolean
  }
}

/** Sign-in in all these ways. Users, their accounts and their sessions are in the adapter's database. */
export function createAuthConfig(adapter: Adapter, ways: Ways): ServerAuthConfig {
  const { openId, mail, withPasskeys, withPasswords } = ways
  return {
    // The secret comes from AUTH_SECRET, the site's own URL from AUTH_URL (needed in production).
    adapter,
    providers: [
      // A provider is a plain object. For the well-known ones there are functions: `server-auth/providers/google` …
      { id: openIdProvider, type: 'oidc', ...openId },
      ...(withPasskeys ? [Passkey({ relyingParty: { name: 'server-auth example' } })] : []),
      ...(mail ? [Email(mail)] : []),
      ...(withPasswords ? [passwords(adapter)] : []),
    ],
    // Passkeys are new: options of theirs may change.
    experimental: { enableWebAuthn: withPasskeys === true },
    callbacks: {
      // What the application and the browser see of the user's row.
      session({ session, user }) {
        if (!user) return session
        return { ...session, user: { ...session.user, id: user.id }, emailProved: user.emailVerified !== null }
      },
    },
  }
}

function passwords(adapter: Adapter) {
  return Credentials({
    name: 'User name and password',
    credentials: {
      username: { label: 'User name', autocomplete: 'username', required: true },
      password: { label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
    },
    // `null` refuses the sign-in. Say the same for an unknown user and a wrong password.
    async authorize({ username, password }) {
      const email = await checkPassword(username, password)
      return email === null ? null : ((await adapter.getUserByEmail?.(email)) ?? null)
    },
  })
}
