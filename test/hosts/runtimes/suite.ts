/** The tests that pass on every runtime: each kind of sign-in, from a browser without scripts. */
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { Authenticator } from '../../support/authenticator.js'
import { Browser, target } from '../../support/http-browser.js'
import { startLoopbackServer } from '../../support/loopback-server.js'
import { formIn } from '../../support/mail-server.js'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.js'
import { PasskeyPerson } from '../../support/passkey-person.js'
import type { AppSettings } from './fetch-app.js'

const base = '/api/auth'

/** An email that the application posted to its mail service. */
interface Mail {
  readonly to: string
  readonly url: string
}

/** The services that the application calls. */
export interface Services {
  readonly provider: OpenIdProvider
  readonly mails: readonly Mail[]
  /** The settings of an application at the origin. */
  settings(origin: string): AppSettings
  close(): Promise<void>
}

/** Starts an OpenID provider, and a mail service with an HTTP API. */
export async function startServices(): Promise<Services> {
  const provider = await startOpenIdProvider()
  const mails: Mail[] = []
  const server = await startLoopbackServer(async (request, response) => {
    mails.push((await json(request)) as Mail)
    response.end('{}')
  })
  const { issuer, clientId, clientSecret = '' } = provider.settings()
  return {
    provider,
    mails,
    settings: (origin) => ({
      origin,
      secret: 'a-test-secret-of-more-than-32-characters',
      mailUrl: `${server.origin}/`,
      provider: { issuer, clientId, clientSecret },
    }),
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

/** Registers the tests. @param stage The running application, at `http://localhost:<port>`. */
export function itSignsIn(stage: () => { readonly origin: string; readonly services: Services }): void {
  let browser: Browser
  beforeEach(() => {
    browser = new Browser(stage().origin, { base })
  })

  it('guards a page, signs in with credentials, and signs out', async () => {
    expect((await browser.get('/private')).status).to.equal(401)
    expect((await browser.get(`${base}/signin`)).text).to.include('name="password"')
    expect((await browser.signIn({ callbackUrl: '/private' })).headers.location).to.equal(`${stage().origin}/private`)
    expect((await browser.get('/private')).body.user.name).to.equal('ann')
    expect((await browser.submit(`${base}/signout`)).status).to.equal(303)
    expect((await browser.get('/private')).status).to.equal(401)
    expect(target(await browser.signIn({ password: 'wrong' }))).to.include('error=CredentialsSignin')
  })

  it('signs in with an OpenID provider', async () => {
    const { provider } = stage().services
    const start = await browser.submit(`${base}/signin/test`)
    const back = await provider.signInAs(target(start), 'alice')
    expect((await browser.get(back)).status).to.equal(302)
    expect((await browser.get('/private')).body.user.email).to.equal('alice@example.com')
    // The code works once.
    await new Browser(stage().origin, { base }).get(back)
    expect((await new Browser(stage().origin).get('/private')).status).to.equal(401)
  })

  it('signs in by an email link, once', async () => {
    expect((await browser.submit(`${base}/signin/email`, { email: 'mia@example.com' })).status).to.equal(303)
    const url = await mailTo('mia@example.com')
    await openLink(url)
    expect((await browser.get('/private')).body.user.email).to.equal('mia@example.com')
    await openLink(url, new Browser(stage().origin, { base }))
    expect((await browser.get('/private')).body.user.email).to.equal('mia@example.com')
  })

  it('signs up with a password, signs in, and resets it', async () => {
    const [email, password] = ['pat@example.com', 'four words in a row']
    await browser.submit(`${base}/signup/password`, { email, password })
    await openLink(await mailTo(email))
    expect((await browser.get('/private')).body.user.email).to.equal(email)
    const other = new Browser(stage().origin, { base })
    await other.submit(`${base}/callback/password`, { email, password: 'not the words' })
    expect((await other.get('/private')).status).to.equal(401)
    await other.submit(`${base}/callback/password`, { email, password })
    expect((await other.get('/private')).body.user.email).to.equal(email)
  })

  it('registers a passkey, and signs in with it', async () => {
    const { origin } = stage()
    const person = new PasskeyPerson(browser, new Authenticator(), { base })
    const made = await person.register({ email: 'kim@example.com' }, { lies: { origin } })
    expect(made.status, made.text).to.equal(303)
    const again = person.with({ browser: new Browser(origin, { base }) })
    expect((await again.signIn({}, { lies: { origin } })).status).to.equal(303)
    expect((await again.browser.get('/private')).body.user.email).to.equal('kim@example.com')
  })

  it('sets up a second factor, and asks for it', async () => {
    await browser.submit(`${base}/signup/password`, { email: 'tom@example.com', password: 'four words in a row' })
    await openLink(await mailTo('tom@example.com'))
    const page = await browser.get(`${base}/two-factor/totp?setup`)
    expect(page.status, page.text).to.equal(200)
    const { action, fields } = formIn(page.text, `${base}/two-factor`)
    const secret = /secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? ''
    await browser.post(action, { ...fields, intent: 'setup', name: 'My phone', code: generateSync({ secret }) })
    const other = new Browser(stage().origin, { base })
    const asked = await other.submit(`${base}/callback/password`, {
      email: 'tom@example.com',
      password: 'four words in a row',
    })
    expect(target(asked)).to.include(`${base}/two-factor`)
    expect((await other.get('/private')).status).to.equal(401)
  })

  it('serves many visitors at once, each with their own session', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `user-${at}`)
    const seen = await Promise.all(
      names.map(async (username) => {
        const visitor = new Browser(stage().origin, { base })
        await visitor.signIn({ username })
        return (await visitor.get('/private')).body.user.name
      }),
    )
    expect(seen).to.deep.equal(names)
  })

  it('starts twenty sign-ins with the provider at once', async () => {
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => new Browser(stage().origin, { base }).submit(`${base}/signin/test`)),
    )
    expect(starts.map(({ status }) => status)).to.deep.equal(starts.map(() => 303))
  })

  it('answers a forged token with 403, broken JSON with 400, and a large body with 413', async () => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const forged = await browser.ask(`${base}/signout`, { json: { csrfToken: 'f'.repeat(64) }, headers })
    expect([forged.status, forged.body.error]).to.deep.equal([403, 'MissingCSRF'])
    expect((await browser.ask(`${base}/session`, { body: '{"a":', headers })).status).to.equal(400)
    expect((await browser.ask(`${base}/session`, { body: 'x'.repeat(102_401), headers })).status).to.equal(413)
  })

  /** Waits for the email, which may be sent after the response. */
  async function mailTo(address: string): Promise<string> {
    for (let tries = 0; tries < 200; tries += 1) {
      const mail = stage().services.mails.findLast(({ to }) => to === address)
      if (mail) return mail.url
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no email came for ${address}`)
  }

  /** Opens a link, follows it to its page, and presses the button there. */
  async function openLink(url: string, visitor = browser): Promise<void> {
    const page = await visitor.follow(await visitor.get(url))
    // A link that was used leads to a page without such a form.
    if (!page.text.includes(`action="${stage().origin}${base}/`) && !page.text.includes(`action="${base}/`)) return
    const { action, fields } = formIn(page.text, base)
    await visitor.post(action, fields)
  }
}
