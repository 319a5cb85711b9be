/** The other libraries that a job compares with. */
import { distinct, repeat } from '../harness/lanes.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'

/** The work of a signed-in user who requests the same path in each unit. */
export const signedIn = (path, provider) => async (server) =>
  repeat(server, [{ path, cookie: await signedInCookie(server, provider) }])

/** The work of requests with the same cookies in each unit. */
export const withCookie =
  (cookie, path = '/guarded') =>
  (server) =>
    repeat(server, [{ path, cookie }])

/** The work of requests with another cookie in each unit. `mint` creates it. */
export const withDistinct = (mint) => (server) => distinct(server, async () => ({ cookie: await mint() }))

/** The libraries that read a session without a database: name, module and variant. */
const libraries = [
  ['express-session + passport', 'sessions', 'passport'],
  ['iron-session', 'sessions', 'iron-session'],
  ['Better Auth, cookie cache', 'better-auth', 'cookie cache'],
  ['@auth/express', 'auth-js', 'encrypted cookie'],
]

/** Resolves to lanes of all libraries. `workOf(provider)` returns the work; only express-openid-connect has a provider. */
export async function libraryLanes(bench, workOf) {
  const provider = await bench.provider()
  const openid = bench.lane('openid-connect', 'encrypted cookie', { issuer: provider.origin }, workOf(provider))
  const others = libraries.map(([name, module, variant]) => [name, bench.lane(module, variant, {}, workOf())])
  return [...others, ['express-openid-connect', openid]]
}
