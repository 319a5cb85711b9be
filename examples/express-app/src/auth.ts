/** The configuration of server-auth: five ways to sign in, and what a session tells. The file to copy. */
import type { Adapter, ServerAuthConfig } from 'server-auth'
import { EmailCode, PasskeyFactor, RecoveryCodes, Totp } from 'server-auth/factors'
import ar from 'server-auth/i18n/ar'
import de from 'server-auth/i18n/de'
import Credentials from 'server-auth/providers/credentials'
import Email from 'server-auth/providers/email'
import Passkey from 'server-auth/providers/passkey'
import Password from 'server-auth/providers/password'

/** The ways to sign in. */
export interface Ways {
  /** From the registration at an OpenID provider. What is left out comes from AUTH_OIDC_ISSUER, AUTH_OIDC_ID … */
  readonly openId: { readonly name: string; issuer?: string; clientId?: string; clientSecret?: string }
  /** A mail server and a sender, for links by e-mail. */
  readonly mail?: { readonly server: string; readonly from: string } | undefined
  readonly withPasskeys?: boolean
  readonly passwords?: PasswordList | undefined
}

/** Where sessions live: in rows of the database, or in encrypted tokens in the cookie. */
export type SessionStrategy = 'database' | 'jwt'

/** Who signs in with a user name and a password. */
export interface PasswordList {
  /** The e-mail address of the user with this name and password; `null` for nobody. */
  check(username: unknown, password: unknown): Promise<string | null>
  usernameOf(email: string): string | undefined
}

/** The id of the OpenID provider: it stands in URLs, in the database and in the names of environment variables. */
export const openIdProvider = 'oidc'

// What the `session` callback adds is told to TypeScript once, and known everywhere.
declare module 'server-auth' {
  interface Session {
    /** Whether the person showed that the e-mail address is theirs. */
    emailProved?: boolean
  }
  // What our own code puts into the session, and nobody else can.
  interface SessionData {
    /** Where the person works at the moment. */
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
    theme: { showPassword: true },
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
    // Passkeys are new: options of theirs may change.
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
  // What the application and the browser see of the user's row.
  session({ session, user }) {
    if (!user) return session
    return { ...session, user: { ...session.user, id: user.id }, emailProved: user.emailVerified !== null }
  },
}

/** A token holds what it was told: at the sign-in, and when the application asks for an update. */
function callbacksWithTokens(adapter: Adapter): ServerAuthConfig['callbacks'] {
  return {
    async jwt({ token, trigger }) {
      if (trigger === undefined) return token
      // What a client sends with an update is not looked at: the database says it.
      const user = token.sub === undefined ? null : await adapter.getUser?.(token.sub)
      return user ? { ...token, name: user.name ?? null, emailProved: user.emailVerified !== null } : token
    },
    session({ session, token }) {
      if (!token) return session
      return { ...session, user: { ...session.user, id: token.sub }, emailProved: token.emailProved === true }
    },
  }
}
