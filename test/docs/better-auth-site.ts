/** A site of Better Auth with users, as the guide about moving finds it: the published package, with its own tables. */
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { genericOAuth } from 'better-auth/plugins'
import { connect } from '../../lib/adapters/sql/index.js'
import type { TestOpenIdProvider } from '../../lib/testing/index.js'

/** A site of Better Auth. */
export interface BetterAuthSite {
  /** Signs up by password, and returns the id. Better Auth verifies no address by default. */
  signUp(user: { name: string; email: string; password: string }): Promise<string>
  /** Signs up by the provider `company`, and returns the id. */
  signUpAtCompany(sub: string): Promise<string>
  /** Sets `emailVerified`, as a followed link does. */
  verify(id: string): Promise<void>
  close(): Promise<void>
}

/** Creates the tables and the site. @param url The URL of the database. */
export async function betterAuthSite(url: string, provider: TestOpenIdProvider): Promise<BetterAuthSite> {
  const db = connect(url)
  const baseURL = 'http://localhost:3999'
  const { issuer, clientId, clientSecret } = provider.settings
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`
  const auth = betterAuth({
    database: { db, type: 'sqlite' },
    baseURL,
    secret: 'a-secret-for-tests-of-32-characters',
    emailAndPassword: { enabled: true },
    plugins: [
      genericOAuth({
        config: [
          { providerId: 'company', discoveryUrl, clientId, clientSecret, scopes: ['openid', 'profile', 'email'] },
        ],
      }),
    ],
    telemetry: { enabled: false },
  })
  const { runMigrations } = await getMigrations(auth.options)
  await runMigrations()
  return {
    async signUp(body) {
      const { user } = await auth.api.signUpEmail({ body })
      return user.id
    },
    async signUpAtCompany(sub) {
      const headers = { 'content-type': 'application/json', origin: baseURL }
      const body = JSON.stringify({ provider: 'company', callbackURL: '/' })
      const begun = await auth.handler(
        new Request(`${baseURL}/api/auth/sign-in/social`, { method: 'POST', headers, body }),
      )
      const { url: there }: { url: string } = await begun.json()
      const cookie = begun.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const back = await auth.handler(new Request(await provider.signIn(there, sub), { headers: { cookie } }))
      const cookies = back.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const session = await auth.api.getSession({ headers: new Headers({ cookie: cookies }) })
      if (!session) throw new Error(`The sign-in failed: ${back.status} ${back.headers.get('location')}`)
      return session.user.id
    },
    async verify(id) {
      const { internalAdapter } = await auth.$context
      await internalAdapter.updateUser(id, { emailVerified: true })
    },
    close: () => db.destroy(),
  }
}
