/** The configuration of server-auth: the file to copy into your application. */
import initAuth from 'server-auth/next'
import Credentials from 'server-auth/providers/credentials'
import { checkPassword } from './users'

export const { handlers, auth, signIn, signOut, unstable_update } = initAuth({
  // The secret comes from AUTH_SECRET, the site's own URL from AUTH_URL.
  providers: [
    // The registration at the provider: AUTH_OIDC_ISSUER, AUTH_OIDC_ID and AUTH_OIDC_SECRET.
    ...(process.env.AUTH_OIDC_ISSUER ? [{ id: 'oidc', type: 'oidc' as const, name: openIdName() }] : []),
    Credentials({
      credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
      // `null` refuses the sign-in.
      authorize: ({ username, password }) => checkPassword(username, password),
    }),
  ],
  pages: { signIn: '/sign-in' },
  callbacks: {
    // Asked in `proxy.ts`, and before each handler that `auth` wraps. `false` leads to the sign-in page, and back.
    authorized({ auth, request }) {
      if (auth !== null) return true
      const isForPrograms = new URL(request.url).pathname.startsWith('/api/')
      return isForPrograms ? Response.json({ error: 'unauthorized' }, { status: 401 }) : false
    },
    // An update comes from the browser: look at it before you believe it.
    jwt({ token, trigger, session }) {
      if (trigger !== 'update') return token
      const name = nameIn(session)
      return name === undefined ? token : { ...token, name }
    },
  },
})

/** Returns the label of the button. */
export function openIdName(): string {
  return process.env.AUTH_OIDC_NAME ?? 'Single sign-on'
}

function nameIn(update: unknown): string | undefined {
  const { user } = recordOf(update)
  const { name } = recordOf(user)
  return typeof name === 'string' && name.trim() !== '' && name.length <= 60 ? name.trim() : undefined
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
