/** The URL of the Next.js example, as `AUTH_URL`, `AUTH_TRUST_HOST` and a proxy determine it. */
import { expect } from 'chai'
import { cookieOf, namesOf, places, secret } from './next-app-session.js'
import { useNextApp } from './next-app-stage.js'

describe('examples/next-app behind a proxy', function () {
  this.timeout(60_000)
  const site = useNextApp(() => ({ AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' }))
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' }
  const prefix = '__Secure-'

  it("has the URL of the proxy's headers", async () => {
    const response = await fetch(site.url('/account'), { headers: forwarded, redirect: 'manual' })
    expect(response.headers.get('location')).to.equal(
      `https://app.example/sign-in?${new URLSearchParams({ callbackUrl: 'https://app.example/account' })}`,
    )
    const { credentials } = await (await fetch(site.url('/api/auth/providers'), { headers: forwarded })).json()
    expect(credentials.callbackUrl).to.equal('https://app.example/api/auth/callback/credentials')
  })

  it('reads the session under the name of https, and extends it there', async () => {
    for (const path of [...places, '/']) {
      const headers = { ...forwarded, cookie: await cookieOf('ann', { prefix }) }
      const response = await fetch(site.url(path), { headers, redirect: 'manual' })
      expect([path, response.status]).to.deep.equal([path, 200])
      expect(await response.text()).to.include('ann')
      const isComponent = path === '/' || path === '/members'
      expect([path, namesOf(response)]).to.deep.equal([path, isComponent ? [] : [`${prefix}auth.session-token`]])
      if (!isComponent) expect(response.headers.getSetCookie().join()).to.include('Secure')
    }
  })
})

describe('examples/next-app at AUTH_URL', function () {
  this.timeout(60_000)
  const site = useNextApp(() => ({ AUTH_SECRET: secret, AUTH_URL: 'https://app.example' }))
  const prefix = '__Secure-'

  it('has this URL, whatever a request says', async () => {
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example', host: 'evil.example' }
    const response = await fetch(site.url('/account'), { headers, redirect: 'manual' })
    expect(response.headers.get('location')).to.equal(
      `https://app.example/sign-in?${new URLSearchParams({ callbackUrl: 'https://app.example/account' })}`,
    )
    for (const path of places) {
      const cookie = await cookieOf('ann', { prefix, fresh: true })
      expect(await (await fetch(site.url(path), { headers: { ...headers, cookie } })).text(), path).to.include('ann')
    }
  })

  it('signs in by a server action, with the cookies of https', async () => {
    const page = await (await fetch(site.url('/sign-in?callbackUrl=/account'))).text()
    const [form = ''] = /<form[^>]*class="sheet".*?<\/form>/s.exec(page) ?? []
    const body = new FormData()
    for (const [, name = '', value = ''] of form.matchAll(
      /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
    )) {
      body.set(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    }
    body.set('username', 'grace')
    body.set('password', 'grace')
    const headers = { origin: 'https://app.example', 'x-forwarded-host': 'app.example' }
    const response = await fetch(site.url('/sign-in'), { method: 'POST', headers, body, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).to.deep.equal([303, 'https://app.example/account'])
    const [line = ''] = response.headers.getSetCookie().filter((each) => each.includes('session-token'))
    expect(line).to.match(/^__Secure-auth\.session-token=[\w.-]+; /)
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=lax']) expect(line).to.include(attribute)
  })
})
