/** An email link from the request to the session, over real SMTP. */
import { expect } from 'chai'
import { credentials, setCookies, target } from '../../support/app.js'
import { formIn, linkIn, linkInHtml } from '../../support/mail-server.js'
import { queryOf, useMailStage } from './stage.js'

describe('sign-in with an email link', () => {
  const stage = useMailStage()

  it('sends one user a link that signs a new user in', async () => {
    const asked = await stage.ask('ann@example.com')
    expect(asked.status).to.equal(303)
    expect(target(asked)).to.equal(`${stage.app.origin}/auth/verify-request?provider=email&type=email`)
    const page = await stage.browser.get(target(asked))
    expect(page.status).to.equal(200)
    expect(page.text).to.include('Check your email').and.include('<bdi>ann@example.com</bdi>')

    const { to, from, parsed } = await stage.server.next()
    expect(to).to.deep.equal(['ann@example.com'])
    expect(from).to.equal('hello@example.com')
    expect(parsed.from?.value).to.deep.equal([{ address: 'hello@example.com', name: 'Example' }])
    expect(parsed.to).to.have.deep.property('value', [{ address: 'ann@example.com', name: '' }])
    expect([parsed.cc, parsed.bcc]).to.deep.equal([undefined, undefined])
    expect(parsed.subject).to.include(new URL(stage.app.origin).host)

    const link = linkIn(parsed)
    expect(linkInHtml(parsed)).to.equal(link)
    expect(link.startsWith(`${stage.app.origin}/auth/callback/email?`)).to.equal(true)
    expect(queryOf(link)).to.include({ email: 'ann@example.com', callbackUrl: `${stage.app.origin}/` })
    expect(queryOf(link).token).to.match(/^[0-9a-f]{64}$/)

    await stage.expectSignedIn(await stage.browser.get(link), 'ann@example.com')
    expect((await stage.adapter.getUserByEmail?.('ann@example.com'))?.emailVerified).to.be.an.instanceOf(Date)
    expect(stage.logged()).to.deep.equal([])
  })

  it('signs in the user who has the address, with name and picture', async () => {
    const user = await stage.adapter.createUser?.({
      id: 'u1',
      email: 'ann@example.com',
      name: 'Ann',
      image: 'https://example.com/a.png',
      emailVerified: new Date(0),
    })
    await stage.browser.get(await stage.linkFor('ann@example.com'))
    expect(await stage.browser.session()).to.have.deep.property('user', {
      id: 'u1',
      name: 'Ann',
      email: 'ann@example.com',
      image: 'https://example.com/a.png',
    })
    const known = await stage.adapter.getUserByEmail?.('ann@example.com')
    expect(known).to.include({ id: user?.id, name: 'Ann' })
    expect(known?.emailVerified?.getTime()).to.be.greaterThan(0)
    expect(stage.called()).to.not.include('createUser')
  })

  it('stores no account, and emits the events of a new user once and of a known one later', async () => {
    const told: string[] = []
    await stage.restart(
      {},
      {
        events: {
          createUser: ({ user }) => void told.push(`createUser ${user.email}`),
          updateUser: ({ user }) => void told.push(`updateUser ${user.email}`),
          linkAccount: () => void told.push('linkAccount'),
          signIn: ({ account, isNewUser }) =>
            void told.push(`signIn ${account?.type} ${account?.provider} ${isNewUser}`),
        },
      },
    )
    await stage.browser.get(await stage.linkFor('ann@example.com'))
    await stage.browser.get(await stage.linkFor('ann@example.com'))
    expect(told).to.deep.equal([
      'createUser ann@example.com',
      'signIn email email true',
      'updateUser ann@example.com',
      'signIn email email false',
    ])
    expect(stage.called()).to.not.include('linkAccount')
  })

  it('leads to `pages.newUser` at the first time only', async () => {
    await stage.restart({}, { pages: { newUser: '/welcome' } })
    const fields = { callbackUrl: '/page' }
    const first = await stage.browser.get(await stage.linkFor('ann@example.com', { fields }))
    expect(new URL(target(first)).pathname).to.equal('/welcome')
    const second = await stage.browser.get(await stage.linkFor('ann@example.com', { fields }))
    expect(new URL(target(second)).pathname).to.equal('/page')
  })

  it('leads back to the requested page, whatever the link was changed to', async () => {
    const link = await stage.linkFor('ann@example.com', { fields: { callbackUrl: '/page?a=1' } })
    const response = await stage.browser.get(link.replace(/callbackUrl=[^&]*/, 'callbackUrl=https://evil.test/'))
    await stage.expectSignedIn(response, 'ann@example.com', { to: '/page?a=1' })
  })

  it('leads there from another browser as well, but never off the site', async () => {
    for (const [callbackUrl, to] of [
      ['/page?a=1', '/page?a=1'],
      ['https://evil.test/', '/'],
    ] as const) {
      const link = await stage.linkFor('ann@example.com')
      const browser = stage.app.browser()
      const url = new URL(link)
      url.searchParams.set('callbackUrl', callbackUrl)
      await stage.expectSignedIn(await stage.confirm(browser, url.href), 'ann@example.com', { browser, to })
    }
  })

  it('starts a JWT session if the configuration says so', async () => {
    await stage.restart({}, { session: { strategy: 'jwt' } })
    await stage.expectSignedIn(await stage.browser.get(await stage.linkFor('ann@example.com')), 'ann@example.com')
    expect(stage.called()).to.not.include('createSession')
  })

  it('answers a client that asks for JSON, and the published browser client, in their ways', async () => {
    const verify = `${stage.app.origin}/auth/verify-request?provider=email&type=email`
    const json = await stage.ask('ann@example.com', { headers: { accept: 'application/json' } })
    expect(target(json)).to.equal(verify)
    const published = await stage.ask('ann@example.com', { headers: { 'x-auth-return-redirect': '1' } })
    expect(published.status).to.equal(200)
    expect(published.body).to.deep.equal({ url: verify })

    const bad = await stage.ask('nobody', { headers: { accept: 'application/json' } })
    expect(bad.status).to.equal(400)
    expect(bad.body).to.have.property('error', 'EmailSignInError')
    const publishedBad = await stage.ask('nobody', { headers: { 'x-auth-return-redirect': '1' } })
    expect(publishedBad.status).to.equal(200)
    expect(publishedBad.body).to.deep.equal({ url: `${stage.app.origin}/auth/signin?error=EmailSignInError` })

    const used = await stage.browser.get(`/auth/callback/email?token=${'0'.repeat(64)}`, {
      accept: 'application/json',
    })
    expect([used.status, used.body.error]).to.deep.equal([403, 'Verification'])
  })

  it('accepts the address as JSON', async () => {
    const json = { email: 'ann@example.com', csrfToken: await stage.browser.csrf() }
    await stage.browser.send('post', '/auth/signin/email', { json })
    await stage.expectSignedIn(await stage.browser.get(await stage.link()), 'ann@example.com')
  })

  it('has a form on the sign-in page that works unchanged', async () => {
    await stage.restart({}, { providers: [credentials(), stage.email()] })
    const page = await stage.browser.get('/auth/signin?callbackUrl=/page')
    const { action, fields } = formIn(page.text, '/auth/signin/email')
    expect(fields).to.have.property('email', '')
    const asked = await stage.browser.post(action, { ...fields, email: 'ann@example.com' })
    expect(target(asked)).to.match(/\/auth\/verify-request\?/)
    const response = await stage.browser.get(await stage.link())
    await stage.expectSignedIn(response, 'ann@example.com', { to: '/page' })
  })

  it('leads to the page of `pages.verifyRequest`', async () => {
    await stage.restart({}, { pages: { verifyRequest: '/look-into-your-mail' } })
    expect(target(await stage.ask('ann@example.com'))).to.equal(
      `${stage.app.origin}/look-into-your-mail?provider=email&type=email`,
    )
  })

  it('CS-16 sends no mail without the CSRF token, or from another site', async () => {
    const without = await stage.browser.post('/auth/signin/email', { email: 'ann@example.com' })
    expect(target(without)).to.match(/error=MissingCSRF$/)
    const foreign = await stage.ask('ann@example.com', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(target(foreign)).to.match(/error=MissingCSRF$/)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    expect(stage.called()).to.deep.equal([])
  })

  it('recognises the browser by a cookie that scripts, other sites and other paths do not get', async () => {
    const asked = await stage.ask('ann@example.com')
    const [line = ''] = setCookies(asked).filter((each) => each.startsWith('auth.transaction.email='))
    expect(line)
      .to.match(/; Max-Age=900;/)
      .and.match(/; HttpOnly/)
      .and.match(/; SameSite=Lax/)
      .and.match(/; Path=\/auth(?:;|$)/)
    expect(line).to.not.include('ann')
    await stage.browser.get(await stage.link())
    expect([...stage.browser.cookies.keys()]).to.not.include('auth.transaction.email')
  })

  it('works under another mount and another id', async () => {
    await stage.restart({ id: 'mail', name: 'Mail' }, {}, { mount: '/api/login' })
    await stage.browser.submit('/api/login/signin/mail', { email: 'ann@example.com' })
    const link = await stage.link()
    expect(link.startsWith(`${stage.app.origin}/api/login/callback/mail?`)).to.equal(true)
    await stage.browser.get(link)
    expect(await stage.browser.session('/api/login')).to.have.nested.property('user.email', 'ann@example.com')
  })
})

describe('`callbacks.signIn` of an email link', () => {
  const stage = useMailStage()
  const asked: unknown[] = []
  async function startWith(signIn: (isRequest: boolean) => boolean | string) {
    asked.length = 0
    const callback = ({ user, account, ...others }: { user: object; account?: object | null; email?: object }) => {
      asked.push({ user, account, ...others })
      return signIn(others.email !== undefined)
    }
    await stage.restart({}, { callbacks: { signIn: callback } })
  }

  it('EM-20 is called twice: with the flag when the mail is requested, without it after the click', async () => {
    await startWith(() => true)
    await stage.browser.get(await stage.linkFor('ann@example.com'))
    const account = { provider: 'email', type: 'email', providerAccountId: 'ann@example.com' }
    expect(asked).to.have.length(2)
    expect(asked[0]).to.deep.include({ account, email: { verificationRequest: true } })
    expect(asked[1]).to.deep.include({ account }).and.not.have.property('email')
    for (const each of asked) expect(each).to.have.nested.property('user.email', 'ann@example.com')
  })

  it('gets the stored user where there is one', async () => {
    await startWith(() => true)
    await stage.adapter.createUser?.({ id: 'u1', email: 'ann@example.com', name: 'Ann', emailVerified: new Date() })
    await stage.browser.get(await stage.linkFor('ann@example.com'))
    for (const each of asked) expect(each).to.have.nested.property('user.name', 'Ann')
  })

  it('EM-20 rejects the mail', async () => {
    await startWith((isRequest) => !isRequest)
    expect(target(await stage.ask('ann@example.com'))).to.match(/\/auth\/error\?error=AccessDenied$/)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    expect(stage.called()).to.deep.equal(['getUserByEmail'])
  })

  it('EM-20 rejects the user after the click, creates no user, and the link is used up', async () => {
    await startWith((isRequest) => isRequest)
    const link = await stage.linkFor('ann@example.com')
    await stage.expectRefused(await stage.browser.get(link), 'AccessDenied')
    expect(await stage.adapter.getUserByEmail?.('ann@example.com')).to.equal(null)
    await stage.expectRefused(await stage.confirm(stage.app.browser(), link))
  })

  it('redirects the user elsewhere instead, before the mail or after the click', async () => {
    await startWith((isRequest) => (isRequest ? '/not-here' : true))
    expect(target(await stage.ask('ann@example.com'))).to.equal(`${stage.app.origin}/not-here`)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    await startWith((isRequest) => (isRequest ? true : '/not-yet'))
    expect(target(await stage.browser.get(await stage.linkFor('ann@example.com')))).to.equal(
      `${stage.app.origin}/not-yet`,
    )
    expect(await stage.browser.session()).to.equal(null)
  })

  it('that throws rejects', async () => {
    await startWith(() => {
      throw new Error('not you')
    })
    expect(target(await stage.ask('ann@example.com'))).to.match(/\/auth\/error\?error=AccessDenied$/)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
  })
})
