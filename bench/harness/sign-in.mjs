/** The sign-in of a browser at each library: the requests that an application's own form or button makes. */
import { password, user } from '../apps/people.mjs'
import { Browser, Connection } from './http.mjs'

/** The requests of a sign-in with user name, by module of `apps`. */
const signIns = {
  ours: postForm,
  codec: postLogin,
  sessions: postLogin,
  'better-auth': ({ origin }) => [
    {
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: user.email, password }),
    },
  ],
  async 'auth-js'({ port }) {
    const connection = new Connection(port)
    const browser = new Browser(connection)
    const first = { path: '/auth/csrf' }
    const { csrfToken } = JSON.parse((await browser.request(first)).body)
    connection.close()
    const post = { path: '/auth/callback/credentials', cookie: browser.cookieHeader(), status: 302 }
    return [first, form(post, { csrfToken, username: 'ann' })]
  },
}

/** The form of a page of server-auth. A browser says that it is the site's own. */
export function postForm({ origin }) {
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  return [form({ path: '/auth/callback/credentials', headers, status: 303 }, { username: 'ann' })]
}

function postLogin() {
  return [form({ path: '/auth/login', status: 302 }, { username: 'ann', password })]
}

function form(message, fields) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...message.headers }
  return { ...message, method: 'POST', headers, body: new URLSearchParams(fields).toString() }
}

/** Resolves to the requests of one sign-in at a server. They can be repeated. */
export async function signInMessages(server) {
  return signIns[server.module](server)
}

/**
 * Returns the `Cookie` header of a signed-in user, and checks that the guard allows it.
 * @param provider the OpenID provider, for a server that signs in there
 */
export async function signedInCookie(server, provider) {
  const connection = new Connection(server.port)
  const browser = new Browser(connection)
  try {
    if (provider) await signInAtProvider(server, browser, provider)
    else await browser.request((await signInMessages(server)).at(-1))
    const { status, head, body } = await browser.request({ path: '/guarded' })
    if (status === 200) return browser.cookieHeader()
    throw new Error(`${server.module} ${server.name}: no sign-in (${status})\n${head}\n${body.slice(0, 500)}`)
  } finally {
    connection.close()
  }
}

/** Follows the redirects of `/login` through the provider, back to the application. */
async function signInAtProvider(server, browser, provider) {
  const connection = new Connection(provider.port)
  const atProvider = new Browser(connection)
  let { location } = await browser.request({ path: '/login' })
  for (let hops = 0; location && !location.startsWith(server.origin); hops += 1) {
    if (hops > 8) throw new Error('The provider does not redirect to the application.')
    const answer = await atProvider.request({ path: pathOf(location) })
    location = answer.location && new URL(answer.location, location).href
  }
  connection.close()
  if (!location) throw new Error('The provider answered without a redirect.')
  await browser.request({ path: pathOf(location) })
}

function pathOf(url) {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
