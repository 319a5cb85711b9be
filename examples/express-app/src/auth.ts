/** The configuration of server-auth: five sign-in methods, and the contents of a session. The file to copy. */
import type { Adapter, ServerAuthConfig } from 'server-auth'
import { EmailCode, PasskeyFactor, RecoveryCodes, Totp } from 'server-auth/factors'
import ar from 'server-auth/i18n/ar'
import de from 'server-auth/i18n/de'
import Credentials from 'server-auth/providers/credentials'
import Email from 'server-auth/providers/email'
import Passkey from 'server-auth/providers/passkey'
import Password from 'server-auth/providers/password'

/** The sign-in methods. */
export interface Ways {
  /** The registration at an OpenID provider. Missing values are read from AUTH_OIDC_ISSUER, AUTH_OIDC_ID … */
  readonly openId: { readonly name: string; issuer?: string; clientId?: string; clientSecret?: string }
  /** A mail server and a sender, for email links. */
  readonly mail?: { readonly server: string; readonly from: string } | undefined
  readonly withPasskeys?: boolean
  readonly passwords?: PasswordList | undefined
}

/** The place of sessions: in rows of the database, or in encrypted tokens in the cookie. */
export type SessionStrategy = 'database' | 'jwt'

/** The users with a user name and a password. */
export interface PasswordList {
  /** Returns the email address of the user with this name and password, or `null`. */
  check(username: unknown, password: unknown): Promise<string | null>
  usernameOf(email: string): string | undefined
}

/** The id of the OpenID provider: it is used in URLs, in the database and in the names of environment variables. */
export const openIdProvider = 'oidc'

/** The rights that the key of a script can have. */
export const keyScopes = ['profile:read'] as const

// Declare the fields of the `session` callback once. TypeScript then knows them everywhere.
declare module 'server-auth' {
  interface Session {
    /** True if the user has verified the email address. */
    emailProved?: boolean
  }
  // Only our own code can write these values into the session.
  interface SessionData {
    /** The current organisation of the user. */
    organisation?: string
  }
}

/** The secret comes from AUTH_SECRET, the site's own URL from AUTH_URL (needed in production). */
export function createAuthConfig(
  adapter: Adapter,
  { openId, mail, withPasskeys, passwords }: Ways,
  strategy: SessionStrategy = 'database',
): ServerAuthConfig {
  const providers: ServerAuthConfig['providers'] = [
    // A provider is a plain object. For the well-known ones there are functions: `server-auth/providers/google` …
    { id: openIdProvider, type: 'oidc', ...openId },
    ...(withPasskeys ? [Passkey({ relyingParty: { name: 'server-auth example' } })] : []),
    ...(mail ? [Email(mail)] : []),
  ]
  if (passwords) {
    const credentials = Credentials({
      name: 'User name and password',
      credentials: {
        username: { label: 'User name', labels: { de: 'Benutzername', ar: 'اسم المستخدم' }, autocomplete: 'username' },
        password: { type: 'password' },
      },
      // `null` refuses the sign-in. Say the same for an unknown user and a wrong password.
      async authorize({ username, password }) {
        const email = await passwords.check(username, password)
        return email === null ? null : ((await adapter.getUserByEmail?.(email)) ?? null)
      },
    })
    providers.push(credentials)
  }
  // Address and password, kept by the adapter. Its mails go the way of the links.
  if (mail) providers.push(Password({ name: 'Address and password' }))
  return {
    adapter,
    providers,
    // Pages and mails in the language of the browser.
    i18n: { locales: ['en', 'de', 'ar'], messages: { de, ar } },
    // The sign-in page asks for the email address or user name first, and then shows the methods that need it.
    theme: { identifierFirst: true },
    // Users with a second factor have to prove it after each of these sign-in methods. They add one on "Your account".
    factors: {
      methods: [
        Totp({ issuer: 'server-auth example' }),
        ...(withPasskeys ? [PasskeyFactor()] : []),
        ...(mail ? [EmailCode()] : []),
        RecoveryCodes(),
      ],
      remember: { days: 30 },
    },
    // Keys for scripts, which users create on "API keys".
    apiKeys: { store: true, prefix: 'example', scopes: keyScopes },
    // Passkeys are new: their options may change.
    experimental: { enableWebAuthn: withPasskeys === true },
    session: {
      strategy,
      data: true,
      // For "Where you are signed in". Behind a proxy it needs Express' "trust proxy".
      network: true,
      // A token ends when it expires. With a store it can be ended from "Your account", and is listed there.
      ...(strategy === 'jwt' && { revocation: { list: true } }),
    },
    callbacks: strategy === 'jwt' ? callbacksWithTokens(adapter) : callbacksWithRows,
  }
}

const callbacksWithRows: ServerAuthConfig['callbacks'] = {
  // The fields of the user's row that the application and the browser see.
  session({ session, user }) {
    if (!user) return session
    return { ...session, emailProved: user.emailVerified !== null }
  },
}

/** Returns callbacks that fill a token at the sign-in, and when the application asks for an update. */
function callbacksWithTokens(adapter: Adapter): ServerAuthConfig['callbacks'] {
  return {
    async jwt({ token, trigger }) {
      if (trigger === undefined) return token
      // The values of a client's update are ignored: the database has the current ones.
      const user = token.sub === undefined ? null : await adapter.getUser?.(token.sub)
      return user ? { ...token, name: user.name ?? null, emailProved: user.emailVerified !== null } : token
    },
    session({ session, token }) {
      if (!token) return session
      return { ...session, emailProved: token.emailProved === true }
    },
  }
}
