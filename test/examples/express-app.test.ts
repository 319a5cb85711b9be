/** The example, as a reader uses it: over HTTP and in a browser. Needs `npm run build`. */
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import request from 'supertest'
import { expressMajor } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { formIn } from '../support/mail-server.js'
import { linkIn, nextMail, openBrowser, type RunningExample, startExample, toPath } from './start-example.js'

describe('examples/express-app', () => {
  let example: RunningExample
  before(async () => {
    example = await startExample()
  })
  after(() => example?.close())

  const stranger = () => request(example.origin)

  describe('for visitors', () => {
    it('shows the public page', async () => {
      const { text } = await stranger().get('/').expect(200)
      expect(text).to.contain('Nobody is signed in').and.contain('href="/auth/signin?callbackUrl=%2F"')
    })

    it('asks for a sign-in on the guarded page and remembers the requested URL', async () => {
      const { headers } = await stranger().get('/account?tab=name&next=a%26b').set('Accept', 'text/html').expect(302)
      const to = new URL(headers.location ?? '', example.origin)
      expect(to.pathname).to.equal('/auth/signin')
      expect(to.searchParams.get('callbackUrl')).to.equal('/account?tab=name&next=a%26b')
    })

    it('answers 401 as JSON on the guarded API', async () => {
      await stranger().get('/api/me').expect(401, { error: 'unauthorized' })
    })

    it('answers 404 for other paths, without trusting the path', async () => {
      const { text } = await stranger().get('/<script>').expect(404)
      expect(text).not.to.contain('<script>')
    })

    it('uses no script at all', async () => {
      for (const path of ['/', '/dev/mailbox', '/nothing']) {
        expect((await stranger().get(path)).text).not.to.contain('<script')
      }
    })
  })

  describe('with the OpenID provider', () => {
    it('signs in, returns to the requested page, and signs out', async () => {
      const { agent, signIn, post } = openBrowser(example)
      const callback = await signIn('alice', '/account?tab=name&next=a%26b')
      expect(callback.status, callback.text).to.be.oneOf([302, 303])
      expect(toPath(example, callback.headers.location ?? '')).to.equal('/account?tab=name&next=a%26b')

      const page = await agent.get('/account?tab=name').expect(200)
      expect(page.text).to.contain('Alice Example').and.contain('Demo provider').and.contain('/account?tab=name')
      expect(page.headers['cache-control']).to.contain('no-store')
      const me = await agent.get('/api/me').expect(200)
      expect(me.body.user.id).to.match(/^[0-9a-f-]{36}$/)
      expect(me.body.user).to.include({ name: 'Alice Example', email: 'alice@example.com' })
      expect(me.body.emailProved).to.equal(true)

      await post('/auth/signout')
      await agent.get('/api/me').expect(401)
    })
  })

  describe('with a password', () => {
    it('signs in with the right one, as the stored user', async () => {
      const { agent, signInWithPassword } = openBrowser(example)
      await signInWithPassword('Demo', 'demo')
      const { body } = await agent.get('/api/me').expect(200)
      expect(body.user).to.include({ name: 'Demo User', email: 'demo@example.com' })
      expect(body.user.id).to.equal((await example.database.adapter.getUserByEmail('demo@example.com'))?.id)
      expect(JSON.stringify(body)).not.to.contain('scrypt')
    })

    for (const [username, password] of [
      ['demo', 'wrong'],
      ['nobody', 'demo'],
      ['', ''],
      ['demo', 'x'.repeat(1000)],
    ] as const) {
      it(`rejects ${username.slice(0, 10)} / ${password.slice(0, 10)}`, async () => {
        const { agent, signInWithPassword } = openBrowser(example)
        const { headers } = await signInWithPassword(username, password)
        expect(headers.location).to.contain('error=CredentialsSignin')
        await agent.get('/api/me').expect(401)
      })
    }
  })

  describe('with a link by e-mail', () => {
    it('signs in an unknown user, and the next time the same one', async () => {
      const [first, second] = [openBrowser(example), openBrowser(example)]
      await first.signInByMail('New@Example.com')
      await second.signInByMail('new@example.com')
      const { body } = await first.agent.get('/api/me').expect(200)
      expect(body.user).to.include({ name: null, email: 'new@example.com' })
      expect(body.emailProved).to.equal(true)
      expect((await second.agent.get('/api/me').expect(200)).body.user.id).to.equal(body.user.id)
    })

    it('signs in the same user as by password, if the address is the same', async () => {
      const [mail, password] = [openBrowser(example), openBrowser(example)]
      await password.signInWithPassword('grace', 'grace')
      await mail.signInByMail('grace@example.com')
      const { body } = await mail.agent.get('/api/me').expect(200)
      expect(body.user.name).to.equal('Grace Hopper')
      expect((await password.agent.get('/api/me').expect(200)).body.user.id).to.equal(body.user.id)
    })

    it('says where to find the mail', async () => {
      const { agent } = openBrowser(example)
      expect((await agent.get('/dev/mail-sent').expect(200)).text).to.contain('href="/dev/mailbox"')
    })
  })

  describe('a change of the name', () => {
    const changes: ReadonlyArray<readonly [what: string, fields: Record<string, unknown>, name: string, done: string]> =
      [
        ['takes a name', { name: ' Lady Lovelace ' }, 'Lady Lovelace', 'name-changed'],
        ['takes nothing but the name', { name: 'Ada', id: 'x', email: 'x@example.com' }, 'Ada', 'name-changed'],
        ['takes 80 characters', { name: 'x'.repeat(80) }, 'x'.repeat(80), 'name-changed'],
        ['refuses 81 characters', { name: 'x'.repeat(81) }, 'Somebody', 'name-refused'],
        ['refuses an empty name', { name: '  ' }, 'Somebody', 'name-refused'],
        ['refuses two names', { name: ['a', 'b'] }, 'Somebody', 'name-refused'],
        ['refuses no name', {}, 'Somebody', 'name-refused'],
      ]
    for (const [what, fields, name, done] of changes) {
      it(what, async () => {
        const { agent, post, signInByMail } = openBrowser(example)
        // Each another one: so many mails to one address would be refused.
        const email = `${done}-${name.length}-${Object.keys(fields).length}@example.com`
        await signInByMail(email)
        await post('/account/name', { name: 'Somebody' })
        const { headers, status } = await post('/account/name', fields)
        expect([status, headers.location]).to.deep.equal([303, `/account?done=${done}`])
        const { body } = await agent.get('/api/me').expect(200)
        expect(body.user).to.include({ name, email })
        await agent.get(headers.location ?? '').expect(200, /role="status"/)
      })
    }

    it('stores the organisation that the user chooses from a list, for this session', async () => {
      const { agent, post, signInByMail } = openBrowser(example)
      await signInByMail('works@example.com')
      expect((await agent.get('/account')).text).to.contain('<dd id="organisation-shown">–</dd>')
      const chosen = await post('/account/organisation', { organisation: 'Red Panda' })
      expect([chosen.status, chosen.headers.location]).to.deep.equal([303, '/account?done=organisation-chosen'])
      const { text } = await agent.get('/account').expect(200)
      expect(text).to.contain('<dd id="organisation-shown">Red Panda</dd>').and.contain('<option selected>Red Panda')
      const refused = await post('/account/organisation', { organisation: '<b>Another</b>' })
      expect(refused.headers.location).to.equal('/account?done=organisation-unknown')
      expect((await agent.get('/api/me').expect(200)).body.data).to.deep.equal({ organisation: 'Red Panda' })
      const elsewhere = openBrowser(example)
      await elsewhere.signInByMail('works@example.com')
      expect((await elsewhere.agent.get('/api/me').expect(200)).body.data).to.deep.equal({})
    })

    it('shows markup as text', async () => {
      const { agent, post, signInByMail } = openBrowser(example)
      await signInByMail('markup@example.com')
      await post('/account/name', { name: '<img src=x onerror=alert(1)>' })
      for (const path of ['/', '/account']) {
        expect((await agent.get(path).expect(200)).text)
          .to.match(/&(lt|#60);img/)
          .and.not.contain('<img')
      }
    })
  })

  it('changes an address by an email link, and shows the result', async () => {
    const { agent, post, signInByMail } = openBrowser(example)
    await signInByMail('before@example.com')
    const refused = await post('/account/email', { email: 'no address' })
    expect(refused.headers.location).to.equal('/account?done=email-refused')
    const before = example.mailbox.mails().length
    const { headers } = await post('/account/email', { email: 'after@example.com' })
    expect(headers.location).to.equal('/account?done=email-sent')
    await agent.get('/account?done=email-sent').expect(200, /role="status"/)
    const page = await agent.get(toPath(example, linkIn((await nextMail(example, before)).text))).expect(200)
    const { action, fields } = formIn(page.text, '/callback/')
    const done = await agent.post(toPath(example, action)).type('form').send(fields).expect(303)
    expect(toPath(example, done.headers.location ?? '')).to.equal('/account?done=email-changed')
    await agent.get('/account?done=email-changed').expect(200, /Your address is changed/)
    expect((await agent.get('/api/me').expect(200)).body.user.email).to.equal('after@example.com')
    const notice = await nextMail(example, before + 1)
    expect([notice.to, notice.text.includes('http')]).to.deep.equal(['before@example.com', false])
  })

  describe('a link for another device', () => {
    const linkOf = (page: string) => /id="hand-over-link">([^<]+)</.exec(page)?.[1] ?? ''
    const codeOf = (link: string) => link.slice(link.lastIndexOf('/') + 1)

    it('signs in there, once, after it has asked', async () => {
      const [here, there, thief] = [openBrowser(example), openBrowser(example), openBrowser(example)]
      await here.signInByMail('two@example.com')
      const path = toPath(example, linkOf((await here.post('/hand-over')).text))
      const asked = await there.agent.get(path).expect(200)
      expect(asked.text).to.contain('two@example.com')
      await there.agent.get('/api/me').expect(401)
      const { status, headers } = await there.post('/hand-over/use', { code: codeOf(path) })
      expect([status, toPath(example, headers.location ?? '')]).to.deep.equal([303, '/account'])
      const [one, two] = [await here.agent.get('/api/me'), await there.agent.get('/api/me').expect(200)]
      expect(two.body.user.id).to.equal(one.body.user.id)
      expect(await here.account()).to.contain('Another browser')
      expect((await thief.post('/hand-over/use', { code: codeOf(path) })).status).to.equal(410)
      await thief.agent.get('/api/me').expect(401)
    })

    it('cannot be used by a form of another site, nor by guessing', async () => {
      const [here, there] = [openBrowser(example), openBrowser(example)]
      await here.signInByMail('three@example.com')
      const code = codeOf(linkOf((await here.post('/hand-over')).text))
      await there.agent.post('/hand-over/use').type('form').send({ code }).expect(410)
      expect((await there.post('/hand-over/use', { code: 'x'.repeat(43) })).status).to.equal(410)
      await there.agent.get('/hand-over/unknown').expect(410)
      expect((await there.post('/hand-over/use', { code })).status).to.equal(303)
    })
  })

  it('shows no unknown notice', async () => {
    const { agent, signInByMail } = openBrowser(example)
    await signInByMail('notices@example.com')
    for (const done of ['constructor', '<b>', 'toString', '']) {
      const { text } = await agent.get('/account').query({ done }).expect(200)
      expect(text).not.to.contain('role="status"').and.not.contain('<b>')
    }
  })
})

describe('examples/express-app: your account', () => {
  // A database does not know which Express asks.
  for (const kind of expressMajor === 4 && extent !== 'all' ? databaseKinds.slice(0, 1) : databaseKinds) {
    describe(`on ${kind}`, () => {
      const opened: Array<{ database: TestDatabase; example: RunningExample }> = []
      before(async function () {
        const database = await requireDatabase(this, kind)
        opened.push({ database, example: await startExample({ databaseUrl: database.url }) })
      })
      after(async () => {
        for (const { example, database } of opened.splice(0)) {
          await example.close()
          await database.close()
        }
      })
      const browser = () => {
        const example = opened[0]?.example
        if (!example) throw new Error('the example is not running')
        return openBrowser(example)
      }

      it('ends one session, and all others', async () => {
        const [one, two, three] = [browser(), browser(), browser()]
        for (const each of [one, two, three]) await each.signInByMail('many@example.com')
        const page = await one.account()
        expect(page.match(/Another browser/g)).to.have.length(2)
        const [, id] = /name="id" value="([^"]+)"/.exec(page) ?? []
        expect((await one.post('/account/sessions/end', { id })).headers.location).to.match(/session-ended$/)
        expect((await one.post('/account/sessions/end', { id })).headers.location).to.match(/session-unknown$/)
        expect((await one.account()).match(/Another browser/g)).to.have.length(1)
        const states = await Promise.all([two, three].map(async ({ agent }) => (await agent.get('/api/me')).status))
        expect(states.sort()).to.deep.equal([200, 401])
        expect((await one.post('/account/sessions/end-others')).headers.location).to.match(/others-ended$/)
        await Promise.all([two, three].map(({ agent }) => agent.get('/api/me').expect(401)))
        expect(await one.account()).not.to.contain('Another browser')
      })

      it('links the provider to the signed-in user, and unlinks it', async () => {
        const { signInByMail, signIn, account, post } = browser()
        await signInByMail('linking@example.com')
        expect(await account()).to.contain('Link Demo provider')
        const { headers } = await signIn('bob', '/account')
        expect(headers.location).to.match(/\/account$/)
        expect(await account())
          .to.contain('bob-sub')
          .and.contain('linking@example.com')
          .and.not.contain('Link Demo provider')
        const mine = { provider: 'oidc', providerAccountId: 'bob-sub' }
        expect((await post('/account/accounts/unlink', mine)).headers.location).to.match(/account-unlinked$/)
        expect((await post('/account/accounts/unlink', mine)).headers.location).to.match(/account-unknown$/)
        expect(await account()).to.contain('Link Demo provider')
      })

      it('keeps the last sign-in method, and says why', async () => {
        const { signIn, account, post, agent } = browser()
        await signIn('bob', '/')
        expect((await agent.get('/api/me')).body.emailProved).to.equal(false)
        expect(await account())
          .to.contain('Your only way in')
          .and.contain('not verified yet')
        const { headers } = await post('/account/accounts/unlink', { provider: 'oidc', providerAccountId: 'bob-sub' })
        expect(headers.location).to.match(/account-last$/)
        expect((await agent.get(headers.location ?? '')).text).to.contain('That account stays')
      })
    })
  }

  describe('its forms', () => {
    let example: RunningExample
    before(async () => {
      example = await startExample()
    })
    after(() => example?.close())

    const paths = [
      '/account/name',
      '/account/email',
      '/account/organisation',
      '/account/sessions/end',
      '/account/sessions/end-others',
      '/account/accounts/unlink',
      '/account/passkeys/rename',
      '/account/passkeys/remove',
      '/hand-over',
    ]
    for (const path of paths) {
      it(`${path} is rejected without the token, and changes nothing`, async () => {
        const { agent, signIn, account } = openBrowser(example)
        await signIn('alice', '/')
        const before = await account()
        for (const csrfToken of [undefined, '', 'a'.repeat(64)]) {
          const fields = { csrfToken, name: 'x', provider: 'oidc', providerAccountId: 'alice-sub' }
          await agent
            .post(path)
            .type('form')
            .send(fields)
            .expect(403, /nothing was changed/)
        }
        expect(await account()).to.equal(before)
      })

      it(`${path} asks a user whose session has ended to sign in`, async () => {
        const { post } = openBrowser(example)
        const { status, headers } = await post(path, { name: 'x' })
        expect([status, headers.location]).to.deep.equal([303, '/account'])
      })
    }

    it('end no session and unlink no account of another user', async () => {
      const [victim, thief] = [openBrowser(example), openBrowser(example)]
      await victim.signIn('alice', '/')
      await victim.signInByMail('alice@example.com')
      await thief.signInByMail('thief@example.com')
      const other = openBrowser(example)
      await other.signIn('alice', '/')
      const [, id] = /name="id" value="([^"]+)"/.exec(await victim.account()) ?? []
      expect(id).to.be.a('string')
      expect((await thief.post('/account/sessions/end', { id })).headers.location).to.match(/session-unknown$/)
      const theirs = { provider: 'oidc', providerAccountId: 'alice-sub' }
      expect((await thief.post('/account/accounts/unlink', theirs)).headers.location).to.match(/account-unknown$/)
      await other.agent.get('/api/me').expect(200)
      expect(await victim.account()).to.contain('alice-sub')
    })
  })
})

describeInBrowser('examples/express-app', (open) => {
  let example: RunningExample
  before(async () => {
    example = await startExample({ thirdOrigin: true })
  })
  after(() => example?.close())

  const text = (page: Page) => page.locator('main').textContent()
  /** Saves screenshots for review if SCREENSHOTS=<folder> is set. */
  const picture = async (page: Page, name: string) => {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  it('signs in through a provider that redirects over a third origin, changes the name, signs out', async () => {
    const { page, problems } = await open()
    const visited: string[] = []
    page.on('request', (each) => void (each.isNavigationRequest() && visited.push(new URL(each.url()).origin)))

    await page.goto(example.origin)
    expect(await text(page)).to.contain('Nobody is signed in')
    await picture(page, '1-home')

    await page.getByRole('link', { name: /^Your account/ }).click()
    await page.waitForURL(/\/auth\/signin/)
    await picture(page, '2-sign-in')
    await page.getByRole('button', { name: /Demo provider/ }).click()

    await page.waitForURL(`${example.provider.issuer}/interaction/**`)
    expect(visited).to.include(example.provider.thirdOrigin)
    await picture(page, '3-provider')
    await page.getByLabel('Login').fill('alice')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.waitForURL(`${example.origin}/account?tab=name`)
    expect(await text(page))
      .to.contain('Alice Example')
      .and.contain('alice@example.com')
      .and.contain('/account?tab=name')
    await picture(page, '4-account')

    await page.getByLabel('New name').fill('Alice in Chromium')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The name is changed.').waitFor()
    expect(await page.locator('#name-shown').textContent()).to.equal('Alice in Chromium')
    await picture(page, '5-saved')

    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.waitForURL(/\/auth\/signout/)
    await picture(page, '6-sign-out')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${example.origin}/`)
    expect(await text(page)).to.contain('Nobody is signed in')

    await page.goto(`${example.origin}/account`)
    expect(new URL(page.url()).pathname).to.equal('/auth/signin')
    expect(problems).to.deep.equal([])
  })

  it('rejects a wrong password, accepts the right one', async () => {
    const { page, problems } = await open({ colorScheme: 'dark' })
    await page.goto(`${example.origin}/account?from=password`)
    await page.getByLabel('Email address or username').fill('demo')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    // A user name leaves out the methods that need an email address.
    expect(await page.locator('form[action$="/signin/email"]').count()).to.equal(0)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/error=CredentialsSignin/)
    await picture(page, '7-refused')
    await page.getByRole('alert').getByText('These sign-in details are not correct').waitFor()

    await page.getByLabel('Password', { exact: true }).fill('demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${example.origin}/account?from=password`)
    expect(await text(page)).to.contain('Demo User')
    await picture(page, '8-account-dark')
    await page.goto(example.origin)
    expect(await text(page)).to.contain('Hello, Demo User')
    await picture(page, '9-home-dark')
    expect(problems).to.deep.equal([])
  })

  it('returns from a cancelled login with a message, and still has the requested URL', async () => {
    const { page, problems } = await open()
    await page.goto(`${example.origin}/account?second=try`)
    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/\/auth\/signin\?.*error=OAuthCallbackError/)
    await page.getByRole('alert').getByText('Signing in was not completed').waitFor()
    await picture(page, '10-cancelled')

    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByLabel('Login').fill('bob')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${example.origin}/account?second=try`)
    expect(problems).to.deep.equal([])
  })

  it('works without JavaScript', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(`${example.origin}/account?no=script`)
    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByLabel('Login').fill('bob')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${example.origin}/account?no=script`)
    expect(await text(page)).to.contain('Bob Example')
  })
})
