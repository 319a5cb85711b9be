/**
 * The application that every runtime serves: all kinds of sign-in, with database sessions, at `/api/auth`.
 *
 * It imports the built package by its name, as an application does.
 */
import { Totp } from 'server-auth/factors'
import Credentials from 'server-auth/providers/credentials'
import Passkey from 'server-auth/providers/passkey'
import Password from 'server-auth/providers/password'
import initAuth, { type FullStackAuthConfig, withRequest } from 'server-auth/shim'

/** The settings, from the environment of the runtime. */
export interface AppSettings {
  readonly origin: string
  readonly secret: string
  /** The URL to which emails are posted, as to a mail service. */
  readonly mailUrl: string
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
}

/** The facts that the runtime knows about a request. */
interface Client {
  readonly ip?: string | undefined
  readonly waitUntil?: (work: Promise<unknown>) => void
}

/** The options that the Fetch application and the Express application share. */
export function authConfig(settings: AppSettings, adapter: NonNullable<FullStackAuthConfig['adapter']>) {
  const mail = {
    id: 'email',
    name: 'Email',
    type: 'email' as const,
    async sendVerificationRequest({ identifier, url }: { identifier: string; url: string }) {
      const response = await fetch(settings.mailUrl, { method: 'POST', body: JSON.stringify({ to: identifier, url }) })
      if (!response.ok) throw new Error(`The mail service answered ${response.status}.`)
    },
  }
  return {
    secret: settings.secret,
    trustHost: true,
    adapter,
    providers: [
      Credentials({
        credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
        authorize: ({ username, password }) =>
          password === 'right'
            ? { id: `id-of-${username}`, name: String(username), email: `${username}@example.com` }
            : null,
      }),
      { id: 'test', name: 'Test', type: 'oidc' as const, ...settings.provider },
      Password({ mail }),
      mail,
      Passkey,
    ],
    factors: [Totp()],
    rateLimit: { store: true as const },
    experimental: { enableWebAuthn: true },
  } satisfies FullStackAuthConfig
}

/** Creates the function that answers requests. */
export function createFetchApp(settings: AppSettings, adapter: NonNullable<FullStackAuthConfig['adapter']>) {
  const { handlers, auth } = initAuth(authConfig(settings, adapter))
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/auth/')) return handlers.GET(request)
    const session = await auth()
    if (pathname === '/private' && !session) return new Response('Sign in first.', { status: 401 })
    return Response.json(session)
  }
  return (request: Request, client: Client = {}) => withRequest(request, () => respond(request), client)
}
