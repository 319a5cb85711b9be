/** The sign-in of a browser at each library: the requests that an application's own form or button makes. */
import { password, user } from '../apps/people.mjs'
import { Browser, Connection } from './http.mjs'

/** Signs in with a user name. By module of `apps`. */
const credentials = {
  bare: postLogin,
  codec: postLogin,
  sessions: postLogin,
  'auth-js': (browser) => withCsrfToken(browser, '/auth/callback/credentials', { username: 'ann' }),
  ours: (browser) => inOneRequest(browser, '/auth/callback/credentials', { username: 'ann' }),
  'better-auth': (browser, { origin }) =>
    browser.json('/api/auth/sign-in/email', { email: user.email, password }, { origin }),
}

/** Begins to sign in at the provider; resolves to the provider's URL. */
const beginnings = {
  'openid-connect': async (browser) => (await browser.get('/login')).location,
  'auth-js': async (browser) => (await withCsrfToken(browser, '/auth/signin/bench', {})).location,
  ours: async (browser) => (await inOneRequest(browser, '/auth/signin/bench', {})).location,
  async 'better-auth'(browser, { origin }) {
    const { body } = await browser.json('/api/auth/sign-in/social', { provider: 'bench', callbackURL: '/' }, { origin })
    return JSON.parse(body).url
  },
}

function postLogin(browser) {
  return browser.form('/auth/login', { username: 'ann', password })
}

async function withCsrfToken(browser, path, fields) {
  const { csrfToken } = JSON.parse((await browser.get('/auth/csrf')).body)
  return browser.form(path, { csrfToken, ...fields })
}

/** Ports of servers that want a token in the form, although `Sec-Fetch-Site` says that the form is their own. */
const wantsToken = new Set()

/** One request where the server takes the browser's word for the form's origin, else two. */
async function inOneRequest(browser, path, fields) {
  const { port } = browser.connection
  const asked = `${port}${path}`
  if (!wantsToken.has(asked)) {
    const origin = `http://127.0.0.1:${port}`
    const answer = await browser.form(path, fields, {
      origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
    })
    const signedIn = [...browser.cookies.keys()].some((name) => name.includes('session-token'))
    if (signedIn || (answer.location && !answer.location.startsWith(origin) && !answer.location.startsWith('/')))
      return answer
    wantsToken.add(asked)
    browser.cookies.clear()
    browser.requests = 0
  }
  return withCsrfToken(browser, path, fields)
}

/** Signs in once with a fresh browser on a connection. Returns the browser. */
export async function signIn(server, connection) {
  const browser = new Browser(connection)
  const answer = await credentials[server.module](browser, server)
  if (answer.status >= 400 || browser.cookies.size === 0) throw failed(server, answer)
  return browser
}

/**
 * Signs in at the OpenID provider. `atProvider` is a browser there; it stays signed in, so that only the first sign-in of it
 * sees the provider's login.
 */
export async function signInAtProvider(server, connection, atProvider) {
  const browser = new Browser(connection)
  let location = await beginnings[server.module](browser, server)
  for (let hops = 0; location && !location.startsWith(server.origin); hops += 1) {
    if (hops > 8) throw new Error('the provider does not send the browser back')
    const answer = await atProvider.get(location)
    if (!answer.location) throw failed({ module: 'the provider for', name: server.module }, answer)
    location = new URL(answer.location, location).href
  }
  if (!location) throw new Error(`${server.module}: no redirect to the provider`)
  const answer = await browser.get(location)
  if (answer.status >= 400 || /error/.test(answer.location ?? '')) throw failed(server, answer)
  return browser
}

/** Returns the `Cookie` header of a signed-in user, and checks that the guard allows it. */
export async function signedInCookie(server, provider) {
  const connection = new Connection(server.port)
  const atProvider = provider && new Browser(new Connection(provider.port))
  const browser = provider ? await signInAtProvider(server, connection, atProvider) : await signIn(server, connection)
  const answer = await browser.get('/guarded')
  connection.close()
  atProvider?.connection.close()
  if (answer.status !== 200) throw failed(server, answer)
  return browser.cookieHeader()
}

function failed({ module, name }, { status, head, body }) {
  return new Error(`${module} ${name ?? ''}: no sign-in (${status})\n${head}\n${body.slice(0, 500)}`)
}
