/** The Next.js example under `next dev`, as at the first try: without a secret, without an environment. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { installFreshNextApp, type NextSite, startNextApp } from './next-app-stage.js'

/** The other form: `auth` around a proxy of one's own. */
const wrappedProxy = `
import { NextResponse } from 'next/server'
import { auth } from './auth'

export default auth((request) => {
  const response = NextResponse.next()
  response.headers.set('x-seen-by-proxy', request.auth?.user?.name ?? 'nobody')
  return response
})

export const config = { matcher: ['/account/:path*', '/about'] }
`

describe('examples/next-app under next dev', function () {
  this.timeout(300_000)
  this.slow(60_000)
  const started: NextSite[] = []
  const cookies = new Map<string, string>()

  before(async () => {
    const folder = installFreshNextApp()
    const path = join(folder, 'proxy.ts')
    writeFileSync(path, wrappedProxy)
    started.push(await startNextApp(folder, {}, 'dev'))
  })
  after(async () => {
    for (const site of started) await site.stop()
  })

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const [site] = started
    if (!site) throw new Error('it is not running')
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), origin: site.origin }
    const response = await fetch(site.url(path), { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }

  it('refuses strangers in a proxy that auth wraps', async () => {
    const response = await ask('/account')
    expect(response.headers.get('location')).to.include('/sign-in?callbackUrl=')
  })

  it('signs in, and knows it in every place', async () => {
    const { csrfToken } = await (await ask('/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken, username: 'grace', password: 'grace', callbackUrl: '/' })
    expect((await ask('/api/auth/callback/credentials', { method: 'POST', body })).status).to.equal(303)
    for (const path of ['/', '/account', '/members', '/orders/7', '/door', '/api/me', '/api/whoami', '/server-side']) {
      const response = await ask(path)
      expect([path, response.status]).to.deep.equal([path, 200])
      expect(await response.text(), path).to.include('Grace Hopper')
      if (path === '/account') expect(response.headers.get('x-seen-by-proxy')).to.equal('Grace Hopper')
    }
  })

  it('clears a broken cookie in server-side props, and is not told off for it', async () => {
    cookies.clear()
    cookies.set('auth.session-token', 'broken')
    expect((await ask('/server-side')).status).to.equal(200)
    expect(cookies.get('auth.session-token')).to.equal('')
  })

  it('warns once that there is no secret, and of nothing else', () => {
    const warnings = started[0]?.log().match(/\[auth\]\[warn\]\S*|⚠.*|⨯.*/g)
    expect(warnings).to.deep.equal(['[auth][warn][missing-secret]'])
  })
})
