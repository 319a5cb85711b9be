/**
 * The stage of the suites about signing out at the provider: a scripted provider, an application behind one of both
 * doors.
 */
import type { FullStackAuthConfig } from '../../../lib/types/config.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { type Door, openExpress, openShim } from '../../support/doors.js'
import { type HostileProvider, startHostileProvider } from '../../support/hostile-provider.js'
import type { Answer, Browser, Question } from '../../support/http-browser.js'

/** The base path of the routes. */
export const base = '/api/auth'

/** Both doors to them. */
export const doors = { express: openExpress, shim: openShim } as const

/** The parts that a test starts. */
export interface LogoutStage {
  readonly provider: HostileProvider
  readonly door: Door
  readonly visitor: Browser
  /** Signs a user in with the provider. @param claims Claims of the id_token, over the usual ones. */
  signIn(claims?: object, visitor?: Browser): Promise<Answer>
  /** Sends `POST signout` with a CSRF token. */
  signOut(fields?: Question['form'], headers?: Question['headers']): Promise<Answer>
  /** Returns the answer of `GET session`. */
  session(visitor?: Browser): Promise<unknown>
  close(): Promise<void>
}

/** Starts a provider with an `end_session_endpoint`, and the application. */
export async function startLogoutStage(
  open: (config: Partial<FullStackAuthConfig>) => Promise<Door>,
  own: Partial<OIDCConfig> = {},
  config: Partial<FullStackAuthConfig> = {},
): Promise<LogoutStage> {
  const provider = await startHostileProvider()
  provider.discovery.end_session_endpoint = `${provider.issuer}/logout`
  const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings, ...own }
  const door = await open({ ...config, providers: [test, ...(config.providers ?? [])] })
  const first = door.browser()
  return {
    provider,
    door,
    visitor: first,
    async signIn(claims = {}, visitor = first) {
      provider.onToken = (body) => provider.tokens(body, { ...claims })
      const begun = await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
      return visitor.ask(pathOf(provider.authorize(begun.headers.location ?? '')))
    },
    signOut: (fields = {}, headers = {}) =>
      first.ask(`${base}/signout`, { form: { csrfToken: true, ...fields }, headers }),
    session: async (visitor = first) => (await visitor.ask(`${base}/session`)).body,
    async close() {
      await door.close()
      await provider.close()
    },
  }
}

/** Returns path and query of a URL. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Returns the URL to which an answer leads. */
export function locationOf({ headers, text: body }: Answer): URL {
  const refresh = headers.refresh?.replace(/^0;url=/, '')
  return new URL(headers.location ?? refresh ?? JSON.parse(body).url)
}
