/**
 * Traces which of our files run for a request: real requests to an application, from source, with the precise coverage of V8. A file
 * counts where one of its functions runs between the request and its answer, or in the work that follows the answer. Run it with tsx.
 *
 * Each request is sent twice, and the second one counts, so that no file counts because it is loaded.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { memoryAdapter } from '../lib/adapters/memory/index.ts'
import { defineAuth } from '../lib/index.ts'
import Credentials from '../lib/providers/credentials.ts'
import Password from '../lib/providers/password.ts'
import initAuth from '../shim/index.ts'

const root = new URL('../', import.meta.url).href
const address = 'ann@example.com'
const password = 'four words in a row'

/** Returns the sorted paths of the files that run, for each request of `requestsOf`. */
export async function traceRequests() {
  const site = await startSite()
  await signUp(site)
  const coverage = await startCoverage()
  const files = {}
  for (const [name, request] of Object.entries(requestsOf(site))) {
    for (const _ of [1, 2]) {
      const send = await request()
      await coverage.take()
      await send()
      // The work after the answer.
      await sleep(100)
      files[name] = await coverage.take()
    }
  }
  await coverage.stop()
  for (const server of site.servers) server.close()
  return files
}

/** Signs up with the password. */
async function signUp({ browser, linkIn }) {
  const person = browser()
  await person.post('/auth/signup/password', { email: address, password })
  await person.post('/auth/password/verify', { link: await person.open(await linkIn('sign-up')) })
}

/** The requests by name. Each function prepares a request, and returns the function that sends it. */
function requestsOf({ browser, follow, linkIn }) {
  const signedIn = async () => {
    const person = browser()
    await person.post('/auth/callback/credentials', { username: 'ann' })
    return person
  }
  const read = (path) => async () => {
    const person = await signedIn()
    return () => person.get(path)
  }
  return {
    'GET session': read('/auth/session'),
    'getSession(req, config)': read('/session'),
    'auth(req, res) of the shim': read('/shim'),
    'GET signin': async () => () => browser().get('/auth/signin'),
    'POST signin/<id>, OpenID Connect': async () => {
      const person = browser()
      const body = await person.form({})
      return () => person.send('/auth/signin/own', body)
    },
    'GET callback/<id>, OpenID Connect': async () => {
      const person = browser()
      const answer = await person.post('/auth/signin/own', {})
      const back = follow(answer.headers.get('location'))
      return () => person.get(back)
    },
    'POST callback/<id>, credentials': async () => {
      const person = browser()
      const body = await person.form({ username: 'ann' })
      return () => person.send('/auth/callback/credentials', body)
    },
    'GET callback/<id>, email link': async () => {
      const person = browser()
      await person.post('/auth/signin/email', { email: address })
      const link = await linkIn('sign-in')
      return () => person.get(link)
    },
    'POST password/reset': async () => {
      const person = browser()
      await person.post('/auth/password/forgot', { email: address })
      const body = await person.form({ link: await person.open(await linkIn('reset-password')), password })
      return () => person.send('/auth/password/reset', body)
    },
    'POST callback/<id>, password': async () => {
      const person = browser()
      const body = await person.form({ email: address, password })
      return () => person.send('/auth/callback/password', body)
    },
    'signIn(req, res, …) in a handler': async () => {
      const person = browser()
      return () => person.send('/begin')
    },
    'startSession(req, res, …)': async () => {
      const person = browser()
      return () => person.send('/start')
    },
    'POST signout': async () => {
      const person = await signedIn()
      const body = await person.form({})
      return () => person.send('/auth/signout', body)
    },
  }
}

async function startSite() {
  const provider = await startProvider()
  const mails = []
  const mail = { id: 'email', name: 'Email', type: 'email', sendVerificationRequest: (each) => void mails.push(each) }
  const hash = { hash: (password) => `$plain$${password}`, verify: (known, password) => known === `$plain$${password}` }
  const adapter = memoryAdapter()
  const config = {
    adapter,
    secret: 'a secret of the trace, of 32 characters or more',
    trustHost: true,
    session: { strategy: 'jwt' },
    logger: { error: console.error, warn() {}, debug() {} },
    providers: [
      Credentials({ credentials: { username: {} }, authorize: ({ username }) => ({ id: username, name: username }) }),
      { id: 'own', name: 'Own', type: 'oidc', issuer: provider.issuer, clientId: 'site', clientSecret: 'secret' },
      mail,
      Password({ mail, hash: { needsRehash: () => false, ...hash } }),
    ],
  }
  const auth = defineAuth(config)
  const shim = initAuth(config)
  const app = express().use('/auth', auth.router)
  app.get('/session', async (req, res) => res.json(await auth.getSession(req)))
  app.get('/shim', async (req, res) => res.json(await shim.auth(req, res)))
  app.post('/begin', (req, res) => auth.signIn(req, res, 'own'))
  app.post('/start', async (req, res) => {
    await auth.startSession(req, res, { user: { email: 'bob@example.com', emailVerified: true }, amr: ['otp'] })
    res.end()
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${server.address().port}`
  const linkIn = async (purpose) => {
    for (let tries = 0; tries < 500; tries++) {
      if (mails.at(-1)?.purpose === purpose) return mails.pop().url
      await sleep(10)
    }
    throw new Error(`no mail for ${purpose}`)
  }
  return { servers: [server, provider.server], browser: () => createBrowser(origin), follow: provider.follow, linkIn }
}

/** A browser that keeps cookies and follows no redirect. */
function createBrowser(origin) {
  const jar = new Map()
  const request = async (path, init) => {
    const headers = { accept: 'text/html', cookie: [...jar].map((pair) => pair.join('=')).join('; ') }
    const answer = await fetch(new URL(path, origin), { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      jar.set(name, value)
    }
    if (answer.status >= 400 || answer.headers.get('location')?.includes('error=')) {
      throw new Error(`${path}: ${answer.status} ${answer.headers.get('location') ?? (await answer.text())}`)
    }
    return answer
  }
  const browser = {
    get: (path) => request(path, {}),
    send: (path, body) => request(path, { method: 'POST', body }),
    form: async (fields) => {
      const { csrfToken } = await (await browser.get('/auth/csrf')).json()
      return new URLSearchParams({ ...fields, csrfToken })
    },
    /** Opens an email link, and returns the hidden field of the form to which it leads. */
    open: async (link) => {
      const { headers } = await browser.get(link)
      const page = await (await browser.get(headers.get('location'))).text()
      return /name="link" value="([^"]+)"/.exec(page)?.[1]
    },
    post: async (path, fields) => browser.send(path, await browser.form(fields)),
  }
  return browser
}

/** An OpenID provider without pages: `follow` takes the URL of an authorization request, and returns the one that it leads back to. */
async function startProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let nonce
  const answers = {
    '/.well-known/openid-configuration': () => ({
      ...{
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
    }),
    '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'key' }] }),
    '/token': () => ({ access_token: 'token', token_type: 'Bearer', expires_in: 300, id_token: idToken() }),
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[request.url]()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${server.address().port}`
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function idToken() {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, sub: 'ann', aud: 'site', iat: now, exp: now + 300, nonce, name: 'Ann' }
    const content = `${encode({ alg: 'RS256', kid: 'key' })}.${encode(claims)}`
    return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
  }
  const follow = (location) => {
    const { searchParams } = new URL(location)
    nonce = searchParams.get('nonce') ?? undefined
    const back = new URL(searchParams.get('redirect_uri'))
    back.search = String(new URLSearchParams({ code: 'code', state: searchParams.get('state') }))
    return back.href
  }
  return { server, issuer, follow }
}

async function startCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** Returns our files in which a function ran since the last call. */
    take: async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ functions }) => functions.some(hasRun))
        .flatMap(({ url }) => toPath(url))
        .sort()
    },
    stop: async () => {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

/** The function of a whole module begins at 0: it runs when the module is loaded. */
function hasRun({ functionName, ranges: [{ count, startOffset }] }) {
  return count > 0 && (functionName !== '' || startOffset > 0)
}

function toPath(url) {
  const path = url.startsWith(root) ? url.slice(root.length) : ''
  return /^(lib|shim)\//.test(path) ? [path.replace(/\?.*/, '')] : []
}
