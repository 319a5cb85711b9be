/** A site without a server, for tests with several processes: password sign-ins and session reads by `initAuth`. */
import Password from '../../lib/providers/password.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { quickHasher } from '../password/stage.js'

/** The settings that the processes of a site share. */
export interface SiteSettings {
  readonly url: string
  readonly strategy: 'jwt' | 'database'
}

const origin = 'http://localhost'

/** Creates the site on one of our adapters. */
export function siteOn(adapter: Adapter, { strategy }: Pick<SiteSettings, 'strategy'>) {
  const config: FullStackAuthConfig = {
    secret: 'the-secret-of-all-processes-of-this-site',
    basePath: '/auth',
    trustHost: true,
    adapter,
    session: { strategy, revocation: true },
    logger: { error() {}, warn() {}, debug() {} },
    rateLimit: false,
    providers: [
      Password({
        hash: quickHasher(),
        mail: { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} },
      }),
    ],
  }
  const { handlers } = initAuth(config)
  const ask = (path: string, cookie: string, form?: Readonly<Record<string, string>>) => {
    const headers = { origin, 'sec-fetch-site': 'same-origin', cookie }
    const sent = form && { method: 'POST', body: new URLSearchParams(form) }
    const request = new Request(`${origin}/auth/${path}`, { headers, ...sent })
    return withRequest(request, () => handlers.GET(request), { ip: '127.0.0.1' })
  }
  return {
    config,
    /** A request of the site's own code. */
    request: { protocol: 'http', headers: { host: 'localhost' } },
    /** Signs in. Resolves to the session cookie; `undefined` where the sign-in is refused. */
    async signIn(email: string, password: string): Promise<string | undefined> {
      const first = await ask('csrf', '')
      const { csrfToken } = await first.json()
      const response = await ask('callback/password', cookiesOf(first).join('; '), { csrfToken, email, password })
      return cookiesOf(response).find((cookie) => /session-token=./.test(cookie))
    },
    /** Checks whether a cookie is a session. */
    async isAlive(cookie: string): Promise<boolean> {
      return (await (await ask('session', cookie)).json()) !== null
    },
  }
}

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((line) => line.split('; ')[0] ?? '')
}
