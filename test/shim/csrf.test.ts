/** `auth.csrf` of the shim: the token, the hidden input, and the check of a form. */
import { expect } from 'chai'
import { skipCSRFCheck } from '../../lib/types/symbols.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { rejectionOf, thrownResponse } from '../support/rejection.js'
import { configure, get, origin } from './stage.js'

const csrfCookie = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.includes('csrf')) ?? ''

/** A visitor who has loaded a page with a form. */
async function visit(config = configure()) {
  const { auth } = initAuth(config)
  const page = await withRequest(get('/form'), async () => new Response(await auth.csrf.field()))
  const field = await page.text()
  return { auth, page, field, token: /value="([0-9a-f]{64})"/.exec(field)?.[1] ?? '', cookie: csrfCookie(page) }
}

function post(cookie: string, body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request(`${origin}/save`, { method: 'POST', body, headers: { cookie, origin, ...headers } })
}

describe('auth.csrf', () => {
  it('makes a hidden input, with a cookie, on a private response', async () => {
    const { field, page, token } = await visit()
    expect(field).to.equal(`<input type="hidden" name="csrfToken" value="${token}">`)
    expect(page.headers.getSetCookie()).to.have.length(1)
    expect(page.headers.get('cache-control')).to.equal('private, no-store')
  })

  it('gives all forms of a page one token, also in parallel', async () => {
    const { auth } = initAuth(configure())
    const answer = await withRequest(get('/form'), async () => {
      const together = await Promise.all([auth.csrf.token(), auth.csrf.token()])
      return Response.json([...together, await auth.csrf.token()])
    })
    const tokens: unknown = await answer.json()
    expect(new Set(tokens as string[])).to.have.property('size', 1)
    expect(answer.headers.getSetCookie()).to.have.length(1)
  })

  it('keeps the token of the cookie, and the response private', async () => {
    const { auth, token, cookie } = await visit()
    const again = await withRequest(
      get('/form', { cookie }),
      async () => new Response(await auth.csrf.token(), { headers: { 'cache-control': 'public, max-age=60' } }),
    )
    expect(await again.text()).to.equal(token)
    expect(again.headers.getSetCookie()).to.deep.equal([])
    expect(again.headers.get('cache-control')).to.equal('private, no-store')
    expect(again.headers.get('vary')).to.equal('Cookie')
  })

  it('verifies forms, and returns their fields', async () => {
    const { auth, token, cookie } = await visit()
    const fields = { csrfToken: token, name: 'Ann' }
    const multipart = new FormData()
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value)
    for (const body of [new URLSearchParams(fields), multipart]) {
      const form = await auth.csrf.verify(post(cookie, body))
      expect(form.get('name')).to.equal('Ann')
    }
    const json = post(cookie, JSON.stringify(fields), { 'content-type': 'application/json' })
    expect(await auth.csrf.verify(json, fields)).to.equal(fields)
    expect(await auth.csrf.verify(get('/', { cookie }), multipart)).to.equal(multipart)
  })

  it('CS-01 rejects forms without the token, of other visitors and of other sites', async () => {
    const { auth, token, cookie } = await visit()
    const other = await visit()
    const form = (csrfToken: string) => new URLSearchParams({ csrfToken })
    const rejected: ReadonlyArray<readonly [string, Request]> = [
      ['no token', post(cookie, new URLSearchParams({ name: 'Ann' }))],
      ['an empty token', post(cookie, form(''))],
      ['another token', post(cookie, form(other.token))],
      ['no cookie', post('', form(token))],
      [
        'a forged cookie',
        post(
          cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          form(token),
        ),
      ],
      ['another site', post(cookie, form(token), { 'sec-fetch-site': 'cross-site' })],
      ['another origin', post(cookie, form(token), { origin: 'https://evil.example' })],
      ['no form', post(cookie, JSON.stringify({ csrfToken: token }), { 'content-type': 'application/json' })],
      ['no body', new Request(`${origin}/save`, { method: 'POST', headers: { cookie } })],
      ['a broken form', post(cookie, 'x', { 'content-type': 'multipart/form-data; boundary=a' })],
    ]
    for (const [what, request] of rejected) {
      const answer = await thrownResponse(auth.csrf.verify(request), what)
      expect(answer.status, what).to.equal(403)
      expect(await answer.json(), what).to.include({ error: 'MissingCSRF' })
      expect(answer.headers.get('cache-control'), what).to.equal('private, no-store')
    }
  })

  it('does not take the token of a prototype', async () => {
    const { auth, token, cookie } = await visit()
    const fields: object = Object.create({ csrfToken: token })
    for (const given of [{ ...fields }, Object.create({ csrfToken: token })])
      expect(await thrownResponse(auth.csrf.verify(post(cookie, ''), given))).to.include({ status: 403 })
  })

  it('shows a page to a browser, with the way back to the form', async () => {
    const { auth } = initAuth(configure())
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', referer: `${origin}/form?a=1` }
    const answer = await thrownResponse(auth.csrf.verify(post('', new URLSearchParams({ a: '1' }), headers)))
    const text = await answer.text()
    expect(answer.status).to.equal(403)
    expect(text).to.include('This page was out of date').and.include('href="/form?a=1"')
    expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'")
  })

  it('rejects a body that is too long with 413, before it is read', async () => {
    const { auth, token, cookie } = await visit()
    const body = new URLSearchParams({ csrfToken: token, text: 'x'.repeat(110 * 1024) })
    expect(await thrownResponse(auth.csrf.verify(post(cookie, body)))).to.include({ status: 413 })
  })

  it('says so if the body was read before', async () => {
    const { auth, token, cookie } = await visit()
    const request = post(cookie, new URLSearchParams({ csrfToken: token }))
    await request.text()
    expect((await rejectionOf(auth.csrf.verify(request))).message).to.include('already been read. Pass its fields')
  })

  it('checks nothing with skipCSRFCheck', async () => {
    const { auth, field } = await visit(configure({ skipCSRFCheck }))
    expect(field).to.equal('<input type="hidden" name="csrfToken" value="">')
    expect(await auth.csrf.verify(post('', new URLSearchParams({ a: '1' })))).to.be.instanceOf(FormData)
  })

  it('says where no cookie can be set', async () => {
    const { auth } = initAuth(configure(), {
      current: () => ({ headers: new Headers(), url: origin, writable: false }),
      setCookies() {},
      redirect: (url) => {
        throw new Error(url)
      },
    })
    expect((await rejectionOf(auth.csrf.field())).message).to.match(/^auth\.csrf\.field\(\) has to set a cookie/)
  })
})
