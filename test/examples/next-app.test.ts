/** The Next.js example, built and started as on a server, without a browser. */
import { get } from 'node:http'
import { expect } from 'chai'
import { encode } from '../../lib/jwt.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { crowd } from '../support/extent.js'
import { cookieOf, namesOf, places, secret } from './next-app-session.js'
import { type BuiltApp, buildNextApp, useNextApp } from './next-app-stage.js'

/**
 * Content below a `<Suspense>` is sent after its page has begun with 200; a proxy, a handler and the Pages Router
 * answer 500.
 */
const faultAt = (path: string) => (['/members', '/sign-in'].includes(path) ? 200 : 500)

describe('examples/next-app, built', function () {
  this.timeout(600_000)
  this.slow(200_000)
  const made: BuiltApp[] = []
  before(async () => void made.push(await buildNextApp()))

  it('needs no secret, no environment, no configuration of Next.js, and gives no warning', () => {
    const [app] = made
    expect(app?.output).to.include('Compiled successfully').and.include('ƒ Proxy')
    expect(app?.output).not.to.match(/warn|⚠|attention|deprecated|server-auth/i)
  })
})

describe('examples/next-app without a secret', function () {
  this.timeout(60_000)
  const site = useNextApp(() => ({ AUTH_TRUST_HOST: 'true' }))

  it('rejects every request, with or without a cookie', async () => {
    for (const path of [...places, '/api/auth/session', '/api/auth/providers', '/sign-in']) {
      for (const cookie of ['', await cookieOf('ann', { fresh: true })]) {
        const response = await fetch(site.url(path), { headers: { cookie }, redirect: 'manual' })
        expect(response.status, path).to.equal(faultAt(path))
        expect(await response.text(), path).not.to.include('ann')
      }
    }
  })

  it('still serves pages that do not read the session', async () => {
    expect((await fetch(site.url('/about'))).status).to.equal(200)
  })

  it('logs the remedy', () => {
    expect(site.log()).to.include('There is no secret. Make one with `npx server-auth secret`')
  })
})

describe('examples/next-app without AUTH_URL and AUTH_TRUST_HOST', function () {
  this.timeout(60_000)
  const site = useNextApp(() => ({ AUTH_SECRET: secret }))

  it('rejects every request, and logs the remedy', async () => {
    const cookie = await cookieOf('ann', { fresh: true })
    for (const path of [...places, '/api/auth/session']) {
      const response = await fetch(site.url(path), { headers: { cookie }, redirect: 'manual' })
      expect(response.status, path).to.equal(faultAt(path))
      expect(await response.text(), path).not.to.include('ann')
    }
    expect(site.log()).to.include('Set AUTH_URL to your site')
  })
})

describe('examples/next-app, started', function () {
  this.timeout(60_000)
  const site = useNextApp(() => ({ AUTH_SECRET: secret, AUTH_URL: '{origin}' }))
  const ask = async (path: string, name?: string, options = {}) =>
    fetch(site.url(path), {
      headers: name === undefined ? {} : { cookie: await cookieOf(name, options) },
      redirect: 'manual',
    })

  it('redirects visitors to the sign-in page, with the URL to return to', async () => {
    for (const path of ['/account?tab=1', '/settings', '/orders/7?a=b']) {
      const response = await ask(path)
      const to = new URL(response.headers.get('location') ?? '', site.origin)
      expect([response.status, to.origin + to.pathname]).to.deep.equal([302, site.url('/sign-in')])
      expect(to.searchParams.get('callbackUrl')).to.equal(site.url(path))
    }
    const members = await ask('/members')
    const text = await members.text()
    expect([members.status, text.includes('You are one of them')]).to.deep.equal([200, false])
    expect(text).to.include(`url=${site.url('/sign-in')}?callbackUrl=%2Fmembers`)
  })

  it('answers API clients with 401', async () => {
    for (const path of ['/api/me', '/api/whoami']) {
      const response = await ask(path)
      expect([response.status, await response.json()]).to.deep.equal([401, { error: 'unauthorized' }])
    }
  })

  it('rejects a session of another secret', async () => {
    const salt = 'auth.session-token'
    const token = await encode({
      token: { sub: 'ann', name: 'ann' },
      secret: 'another-secret-of-at-least-32-characters',
      salt,
    })
    const response = await fetch(site.url('/account'), { headers: { cookie: `${salt}=${token}` }, redirect: 'manual' })
    expect(response.status).to.equal(302)
  })

  it('reads the session in each place', async () => {
    for (const path of [...places, '/', '/api/auth/session']) {
      const response = await ask(path, 'ann', { fresh: true })
      expect([path, response.status]).to.deep.equal([path, 200])
      expect(await response.text(), path).to.include('ann')
      expect(namesOf(response), path).to.deep.equal([])
    }
    expect(await (await ask('/orders/7', 'ann')).text()).to.equal('order 7 of ann')
  })

  it('keeps a session alive wherever a cookie can be set', async () => {
    for (const path of [
      '/account',
      '/settings',
      '/orders/7',
      '/door',
      '/api/me',
      '/api/whoami',
      '/server-side',
      '/api/auth/session',
    ]) {
      const response = await ask(path, 'ann')
      expect([path, response.status, namesOf(response)]).to.deep.equal([path, 200, ['auth.session-token']])
      // Only the handler knows the response if it reads the session on its own.
      if (path !== '/door') expect(response.headers.get('cache-control'), path).to.match(/private|no-store/)
    }
  })

  it('sets none in a server component', async () => {
    for (const path of ['/', '/members']) {
      const response = await ask(path, 'ann')
      expect([response.status, namesOf(response)]).to.deep.equal([200, []])
    }
  })

  it('reports a server component that signs a user in', async () => {
    const response = await ask('/mistake')
    expect([response.status, namesOf(response)]).to.deep.equal([200, []])
    await response.text()
    expect(site.log()).to.include(
      'signIn() sets cookies, which is not possible here. Call it in a server action or a route',
    )
  })

  it('signs out in a route handler', async () => {
    const cookie = await cookieOf('ann')
    const headers = { cookie, origin: site.origin, 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(site.url('/door'), { method: 'POST', headers, body: 'a=b', redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).to.deep.equal([303, site.url('/members')])
    expect(response.headers.getSetCookie().join()).to.match(/auth\.session-token=;[^,]*(Max-Age=0|1970)/)
  })

  it('signs out in a route handler that auth wraps, though the session was about to be extended', async () => {
    const headers = { cookie: await cookieOf('ann'), origin: site.origin }
    const response = await fetch(site.url('/leave'), { method: 'POST', headers })
    expect(await response.json()).to.deep.equal({ user: null })
    const lines = response.headers.getSetCookie().filter((line) => line.startsWith('auth.session-token'))
    expect(lines).to.have.length(1)
    expect(lines[0]).to.match(/^auth\.session-token=;/)
  })

  it('keeps its guards, whatever the Host header says', async () => {
    const { host, port } = new URL(site.origin)
    for (const forged of ['', '/sign-in?', '/sign-in#', '/api/auth/callback', '/api/auth/signin?a=']) {
      for (const path of ['/settings', '/account', '/orders/7']) {
        const status = await new Promise((resolve, reject) => {
          const request = get({ port, path, headers: { host: host + forged } }, (response) => {
            response.resume()
            resolve(response.statusCode)
          })
          request.on('error', reject)
        })
        expect([forged, path, status]).to.deep.equal([forged, path, forged === '' ? 302 : 400])
      }
    }
  })

  it('reads, extends and ends a session in several cookies', async () => {
    const salt = 'auth.session-token'
    advanceClock(-2 * 86_400)
    const token = await encode({ token: { sub: 'ann', name: 'ann', long: 'x'.repeat(6_000) }, secret, salt })
    restoreClock()
    const cookie = [
      `${salt}.0=${token.slice(0, 3_936)}`,
      `${salt}.1=${token.slice(3_936, 7_872)}`,
      `${salt}.2=${token.slice(7_872)}`,
    ]
    const headers = { cookie: cookie.join('; ') }
    for (const path of places) {
      const response = await fetch(site.url(path), { headers })
      expect(await response.text(), path).to.include('ann')
      const set = path === '/members' ? [] : [0, 1, 2].map((part) => `${salt}.${part}`)
      expect(namesOf(response).sort(), path).to.deep.equal(set)
    }
    const form = { ...headers, origin: site.origin, 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(site.url('/door'), { method: 'POST', headers: form, body: '', redirect: 'manual' })
    expect(namesOf(response)).to.include.members([0, 1, 2].map((part) => `${salt}.${part}`))
    expect(response.headers.getSetCookie().filter((line) => line.startsWith(salt) && !/=;/.test(line))).to.deep.equal(
      [],
    )
  })

  it('reads no clock where Next.js prerenders at run time, which it would log for each page', () => {
    expect(site.log()).not.to.match(/unstable value|while prerendering/)
  })

  it('never shows one user to another', async () => {
    const people = ['ann-of-the-hill', 'bob-of-the-dale']
    const cookies = [await cookieOf('ann-of-the-hill', { fresh: true }), await cookieOf('bob-of-the-dale')]
    const paths = [...places, '/', '/api/auth/session']
    const mixed: string[] = []
    const one = async (turn: number) => {
      const [mine, other] = turn % 2 ? [1, 0] : [0, 1]
      const path = paths[turn % paths.length] ?? '/'
      const response = await fetch(site.url(path), { headers: { cookie: cookies[mine] ?? '' } })
      const text = await response.text()
      if (!text.includes(people[mine] ?? '') || text.includes(people[other] ?? ''))
        mixed.push(`${turn} ${path}: ${text}`)
    }
    const turns = Array.from({ length: crowd(1_001) }, (_, turn) => turn)
    const worker = async () => {
      for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) await one(turn)
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    expect(mixed).to.deep.equal([])
  })
})
