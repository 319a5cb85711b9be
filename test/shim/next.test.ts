/** `server-auth/next` with the requests of Next.js, as far as they can be had without its server. */
import { expect } from 'chai'
import { isHTTPAccessFallbackError } from 'next/dist/client/components/http-access-fallback/http-access-fallback.js'
import { isRedirectError } from 'next/dist/client/components/redirect-error.js'
import { NextRequest, NextResponse } from 'next/server.js'
import { decode } from '../../lib/jwt.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/hosts/next.js'
import { secret } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'
import { configure, cookieOf, origin, withEnv } from './stage.js'

/**
 * Returns the request that Next.js gives a proxy: the URL is that of the listening server, the header that of the
 * client.
 */
function ask(path: string, headers: Record<string, string> = {}): NextRequest {
  return new NextRequest(new URL(path, 'http://localhost:3000'), {
    headers: { host: new URL(origin).host, ...headers },
  })
}

const guarded = (config: Partial<FullStackAuthConfig> = {}) =>
  configure({ callbacks: { authorized: ({ auth }) => auth !== null }, ...config })

const namesOf = (response: Response | undefined) => response?.headers.getSetCookie().map((line) => line.split('=')[0])

/** A session that is two days old: it is to be extended. */
async function oldCookieOf(name: string): Promise<string> {
  advanceClock(-2 * 86_400)
  return cookieOf(name).finally(restoreClock)
}

describe('server-auth/next', () => {
  describe('auth as a proxy', () => {
    it('lets who is signed in through', async () => {
      const { auth } = initAuth(guarded())
      const response = await auth(ask('/account', { cookie: await cookieOf('ann') }), { waitUntil() {} })
      expect([response?.status, response?.headers.get('x-middleware-next')]).to.deep.equal([200, '1'])
      expect(namesOf(response)).to.deep.equal([])
    })

    it('sends others to the sign-in page, at the host that they asked for', async () => {
      const { auth } = initAuth(guarded())
      const response = await auth(ask('/account?tab=1'))
      const to = new URL(response?.headers.get('location') ?? '')
      expect(to.origin + to.pathname).to.equal(`${origin}/api/auth/signin`)
      expect(to.searchParams.get('callbackUrl')).to.equal(`${origin}/account?tab=1`)
    })

    it('gives an extended session to the browser, and to the page', async () => {
      const { auth } = initAuth(guarded())
      const response = await auth(ask('/account', { cookie: `theme=dark; ${await oldCookieOf('ann')}` }))
      expect(namesOf(response)).to.deep.equal([sessionName])
      expect(response?.headers.get('x-middleware-override-headers')?.split(',')).to.include('cookie')
      const [theme, session = ''] = response?.headers.get('x-middleware-request-cookie')?.split('; ') ?? []
      expect(theme).to.equal('theme=dark')
      const token = session.slice(sessionName.length + 1)
      expect(response?.headers.getSetCookie()[0]).to.include(token)
      expect(await decode({ token, secret, salt: sessionName })).to.include({ name: 'ann' })
    })

    it('allows no request after a fault', async () => {
      await withEnv({ AUTH_SECRET: undefined, NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, async () => {
        const { auth } = initAuth(guarded({ secret: undefined } as Partial<FullStackAuthConfig>))
        expect((await rejectionOf(auth(ask('/account')))).message).to.include('AUTH_SECRET')
      })
    })
  })

  describe('auth around a proxy', () => {
    it('shows it the session, and keeps what it answers', async () => {
      const { auth } = initAuth(guarded())
      const proxy = auth((request) => {
        const response = NextResponse.next()
        response.headers.set('x-person', request.auth?.user?.name ?? 'nobody')
        response.cookies.set('own', '1')
        return response
      })
      const response = await proxy(ask('/account', { cookie: await oldCookieOf('ann') }))
      expect(response.headers.get('x-middleware-next')).to.equal('1')
      expect(response.headers.get('x-person')).to.equal('ann')
      expect(namesOf(response)).to.deep.equal(['own', sessionName])
    })

    it('lets the request through where it answers nothing', async () => {
      const { auth } = initAuth(guarded())
      const response = await auth(() => {})(ask('/account', { cookie: await cookieOf('ann') }))
      expect(response.headers.get('x-middleware-next')).to.equal('1')
    })

    it('is asked only for who may', async () => {
      const { auth } = initAuth(guarded())
      const response = await auth(() => expect.fail('it was asked'))(ask('/account'))
      expect(response.status).to.equal(302)
    })

    it('hands the request of Next.js on', async () => {
      const { auth } = initAuth(configure())
      const seen: unknown[] = []
      await auth((request, { params }: { params: string }) => {
        seen.push(request instanceof NextRequest, request.nextUrl.pathname, request.cookies.get('a')?.value, params)
      })(ask('/account', { cookie: 'a=b' }), { params: 'all' })
      expect(seen).to.deep.equal([true, '/account', 'b', 'all'])
    })
  })

  describe('the URL of a request', () => {
    const callbackAt = async (headers: Record<string, string>) => {
      const { handlers } = initAuth(configure())
      const response = await handlers.GET(ask('/api/auth/providers', headers))
      return (await response.json()).credentials.callbackUrl
    }

    it('has the path that the guard is asked about, whatever the Host header says', async () => {
      const { host } = new URL(origin)
      for (const forged of [
        '/api/auth/callback',
        '/api/auth/callback?',
        '/api/auth#',
        '\\api\\auth\\',
        '?',
        '#',
        '/',
      ]) {
        const { auth, handlers } = initAuth(guarded())
        const stranger = () => ask('/account', { host: `${host}${forged}` })
        const wrapped = auth(() => expect.fail('the handler ran'))
        for (const answer of [await auth(stranger()), await wrapped(stranger()), await handlers.GET(stranger())]) {
          expect([forged, answer?.status]).to.deep.equal([forged, 400])
        }
      }
      for (const forged of [`user@${host}`, ` ${host}/x`, `${host}, other`, 'a b']) {
        const answer = await initAuth(guarded()).auth(ask('/account', { host: forged }))
        expect([forged, answer?.status]).to.deep.equal([forged, 400])
      }
    })

    it('has the scheme that the server of Next.js reports', async () => {
      for (const scheme of ['https', 'https, http', 'HTTPS']) {
        const url = await callbackAt({ 'x-forwarded-proto': scheme })
        expect(url).to.equal(`https://${new URL(origin).host}/api/auth/callback/credentials`)
      }
    })

    it('has none that is no scheme of the web', async () => {
      expect(await callbackAt({ 'x-forwarded-proto': 'javascript' })).to.equal(
        `${origin}/api/auth/callback/credentials`,
      )
    })

    it('has no host that a stranger made up, where the proxy is not trusted', async () => {
      expect(await callbackAt({ 'x-forwarded-host': 'evil.example' })).to.equal(
        `${origin}/api/auth/callback/credentials`,
      )
    })
  })

  describe('guards in a route handler', () => {
    const script = { accept: 'application/json' }
    const page = { accept: 'text/html' }

    it('throw the errors that Next.js answers with the status or a redirect', async () => {
      const { auth } = initAuth(configure())
      const rejected = await rejectionOf(auth.require(ask('/account', script)))
      expect(isHTTPAccessFallbackError(rejected) && rejected.digest).to.equal('NEXT_HTTP_ERROR_FALLBACK;401')
      const denied = await rejectionOf(auth.csrf.verify(ask('/account', script), {}))
      expect(isHTTPAccessFallbackError(denied) && denied.digest).to.equal('NEXT_HTTP_ERROR_FALLBACK;403')
      const redirected = await rejectionOf(auth.require(ask('/account', page)))
      expect(isRedirectError(redirected) && redirected.digest).to.include(`${origin}/api/auth/signin?callbackUrl=`)
    })

    it('send the whole response inside auth()', async () => {
      const { auth } = initAuth(configure())
      const handler = auth(async (request) => Response.json(await auth.require(request, { maxAge: 60 })))
      const rejected = await handler(ask('/account', script))
      expect([rejected.status, await rejected.json()]).to.deep.equal([
        401,
        { error: 'Unauthorized', message: 'Sign in first.' },
      ])
      const redirected = await handler(ask('/account', page))
      expect(redirected.headers.get('location')).to.equal(`${origin}/api/auth/signin?callbackUrl=%2Faccount`)
      const allowed = await handler(ask('/account', { ...script, cookie: await cookieOf('ann') }))
      expect(allowed.status).to.equal(401)
      expect(allowed.headers.get('www-authenticate')).to.include('max_age="60"')
    })
  })

  it('says so where no request is being answered', async () => {
    const { auth, signIn, signOut, unstable_update } = initAuth(configure())
    for (const call of [auth, signIn, signOut, () => unstable_update({})]) {
      expect((await rejectionOf(call())).message).to.match(/outside a request scope/)
    }
  })
})
