/** Guides about sign-in methods and permissions: started as they say, and used over HTTP. Needs `npm run build`. */
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.js'
import { compile, type RunningProgram, remove, start, unpack, write } from './guide-code.js'

/** Opens the email link in the browser that requested it. */
async function signInByLink(
  browser: ReturnType<typeof request.agent>,
  mails: MailServer,
  email: string,
): Promise<void> {
  const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
  await browser.post('/auth/signin/email').type('form').send({ csrfToken, email })
  const link = new URL(linkIn((await mails.next()).parsed))
  await browser.get(link.pathname + link.search).expect(302)
}

async function signInByPassword(browser: ReturnType<typeof request.agent>, fields: Record<string, string>) {
  const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
  return browser
    .post('/auth/callback/credentials')
    .type('form')
    .send({ csrfToken, ...fields })
}

/** Returns a browser in which the user is signed in at the program of a guide. */
async function signedInAt({ origin }: RunningProgram, username: string) {
  const browser = request.agent(origin)
  await signInByPassword(browser, { username, password: 'right' })
  return browser
}

describe('the guide to passwords', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/email-and-passwords.md')
  let app: RunningProgram
  let mails: MailServer
  before(async () => {
    mails = await startMailServer()
    app = await start(folder, 'app.ts', { SMTP_URL: mails.url, DATABASE_URL: `sqlite:${join(folder, 'app.db')}` })
  })
  after(async () => {
    await app?.close()
    await mails?.stop()
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('lets a user of an email link choose a password, and sign in with it', async () => {
    const browser = request.agent(app.origin)
    const elsewhere = request.agent(app.origin)
    await signInByLink(elsewhere, mails, 'ann@example.com')
    await signInByLink(browser, mails, 'Ann@example.com')
    const form = (await browser.get('/password').expect(200)).text
    const [, csrfToken = ''] = /name="csrfToken" value="([^"]+)"/.exec(form) ?? []
    await browser.post('/password').type('form').send({ password: 'a new password' }).expect(403)
    await browser.post('/password').type('form').send({ csrfToken, password: 'short' }).expect(400)
    await browser.post('/password').type('form').send({ csrfToken, password: 'a new password' }).expect(303)
    await elsewhere.get('/password').set('Accept', 'application/json').expect(401)

    const later = request.agent(app.origin)
    await signInByPassword(later, { email: 'ann@example.com', password: 'another password' })
    expect((await later.get('/')).text).to.contain('Sign in')
    await signInByPassword(later, { email: 'ann@example.com', password: 'a new password' })
    expect((await later.get('/')).text).to.equal('You are ann@example.com.')
    expect((await later.get('/password')).text).to.contain('by an email link')
    const { csrfToken: fresh } = (await later.get('/auth/csrf')).body
    await later.post('/password').type('form').send({ csrfToken: fresh, password: 'a third password' }).expect(403)
  })

  it('rejects a user without a password', async () => {
    await signInByLink(request.agent(app.origin), mails, 'bob@example.com')
    for (const email of ['bob@example.com', 'nobody@example.com']) {
      const browser = request.agent(app.origin)
      await signInByPassword(browser, { email, password: 'nobody has this one' })
      expect((await browser.get('/')).text).to.contain('Sign in')
    }
  })
})

describe('the guide to roles', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/roles.md')
  let app: RunningProgram
  before(async () => {
    const server = `
      import { app } from './src/app.js'
      import { posts } from './src/posts.js'
      import { reports } from './src/reports.js'
      app.use('/posts', posts).use('/reports', reports)
      app.listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`
    write(folder, 'server.ts', server)
    app = await start(folder, 'server.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  const signedIn = (username: string) => signedInAt(app, username)

  it('compiles, strictly', () => compile(folder))

  it('shows the role, and allows only admins to use their routes', async () => {
    const [ann, bob] = [await signedIn('ann'), await signedIn('bob')]
    expect((await ann.get('/account').expect(200)).text).to.equal('Hello ann, you are admin.')
    expect((await bob.get('/account').expect(200)).text).to.equal('Hello bob, you are reader.')
    await ann.get('/admin').expect(200)
    await bob.get('/admin').expect(403)
    await ann.get('/admin/users').expect(200)
    await bob.get('/admin/users').expect(403)
  })

  it("asks for permissions, and for the user's own records", async () => {
    const [ann, bob] = [await signedIn('ann'), await signedIn('bob')]
    await bob.get('/posts').expect(200)
    await bob.put('/posts/1').expect(204)
    await bob.put('/posts/2').expect(403)
    await bob.delete('/posts/1').expect(403)
    await ann.put('/posts/1').expect(204)
    await ann.delete('/posts/1').expect(204)
    await request(app.origin).get('/posts').set('Accept', 'application/json').expect(401)
  })

  it('has a page for users without the permission', async () => {
    await (await signedIn('ann')).get('/reports').expect(200, 'Reports')
    const refused = await (await signedIn('bob')).get('/reports').expect(403)
    expect(refused.text).to.contain('Not for readers')
  })

  it('reads roles from groups of a provider, and changes them', async () => {
    const { signIn } = await import(join(folder, 'src/groups.ts'))
    const { promote } = await import(join(folder, 'src/promote.ts'))
    const { adapter } = await import(join(folder, 'src/database.ts'))
    await adapter.createUser({ id: '3', email: 'eve@example.com', emailVerified: null })
    const roleOf = async () => (await adapter.getUser('3')).role
    expect(await roleOf()).to.equal('reader')
    await signIn({ user: { id: '3' }, profile: { groups: ['site-admins'] } })
    expect(await roleOf()).to.equal('admin')
    await signIn({ user: { id: '3' }, profile: { groups: 'site-admins' } })
    expect(await roleOf()).to.equal('reader')
    await promote('3')
    expect(await roleOf()).to.equal('editor')
  })
})

describe('the guide to organizations', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/organizations.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'server.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  const signedIn = (username: string) => signedInAt(app, username)

  it('compiles, strictly', () => compile(folder))

  it('allows members with the permission, and gives others the same 404', async () => {
    const [ann, bob] = [await signedIn('ann'), await signedIn('bob')]
    await ann.get('/o/acme/notes').expect(200, 'Notes of acme, for the role admin')
    await bob.get('/o/acme/notes').expect(200, 'Notes of acme, for the role member')
    const [others, unknown] = [
      await bob.get('/o/other/notes').expect(404),
      await bob.get('/o/nobody/notes').expect(404),
    ]
    expect(others.body).to.deep.equal(unknown.body)
    await request(app.origin).get('/o/acme/notes').expect(401)
  })

  it('has the only organization as the active one, and a page for users with several', async () => {
    await (await signedIn('bob')).get('/dashboard').expect(200, 'Dashboard of acme')
    const ann = await signedIn('ann')
    const sent = await ann.get('/dashboard').set('Accept', 'text/html').expect(302)
    const form = await ann.get(sent.headers.location ?? '').expect(200)
    expect(form.text).to.contain('acme Inc.').and.contain('other Inc.')
    const { csrfToken } = (await ann.get('/auth/csrf')).body
    const fields = { csrfToken, organization: 'other', callbackUrl: '/dashboard' }
    await ann.post('/auth/organization').type('form').send(fields).expect(303)
    await ann.get('/dashboard').expect(200, 'Dashboard of other')
  })

  it('has a menu of organizations', async () => {
    const ann = await signedIn('ann')
    const menu = await ann.get('/switch').expect(200)
    expect(menu.text).to.contain('<option value="acme">acme Inc.</option>').and.contain('value="other"')
    await ann.post('/switch').type('form').send({ organization: 'acme' }).expect(403)
    const { csrfToken } = (await ann.get('/auth/csrf')).body
    const chosen = await ann.post('/switch').type('form').send({ csrfToken, organization: 'acme' }).expect(303)
    expect(chosen.headers.location).to.equal('/dashboard')
    await ann.get('/dashboard').expect(200, 'Dashboard of acme')
    expect((await ann.get('/switch')).text).to.contain('<option value="acme" selected>')
  })

  it('rejects a removed member at the next request', async () => {
    const [ann, bob] = [await signedIn('ann'), await signedIn('bob')]
    const csrfOf = async (browser: typeof ann) => (await browser.get('/auth/csrf')).body.csrfToken
    await bob
      .post('/o/acme/members/1/remove')
      .type('form')
      .send({ csrfToken: await csrfOf(bob) })
      .expect(403)
    await ann
      .post('/o/acme/members/2/remove')
      .type('form')
      .send({ csrfToken: await csrfOf(ann) })
      .expect(204)
    await bob.get('/o/acme/notes').expect(404)
    await bob.get('/dashboard').expect(409)
  })
})

describe('the guide to members', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/members.md')
  let app: RunningProgram
  let mails: MailServer
  before(async () => {
    mails = await startMailServer()
    app = await start(folder, 'server.ts', { SMTP_URL: mails.url, DATABASE_URL: `sqlite:${join(folder, 'app.db')}` })
  })
  after(async () => {
    await app?.close()
    await mails?.stop()
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('invites a user without an account, who becomes a member with the button of the page', async () => {
    const [ann, bob] = [request.agent(app.origin), request.agent(app.origin)]
    const tokenOf = async (browser: typeof ann) => (await browser.get('/auth/csrf')).body.csrfToken as string
    await signInByLink(ann, mails, 'ann@example.com')
    const form = { csrfToken: await tokenOf(ann) }
    const created = await ann
      .post('/organizations')
      .type('form')
      .send({ ...form, name: 'Acme' })
      .expect(201)
    const { id } = created.body.organization
    const invited = { ...form, email: 'bob@example.com', role: 'member' }
    await ann.post(`/o/${id}/invite`).type('form').send(invited).expect(201)
    const link = new URL(linkIn((await mails.next()).parsed))
    const page = await bob.get(link.pathname + link.search).expect(200)
    expect(page.text).to.contain('Acme').and.contain('bob@example.com')
    await bob.get(`/o/${id}/notes`).expect(401)
    const accepted = { csrfToken: await tokenOf(bob), token: link.searchParams.get('token') }
    await bob.post('/auth/invitation').type('form').send(accepted).expect(303)
    await bob.get(`/o/${id}/notes`).expect(200, `Notes of ${id}, for the role member`)
    const { body } = await ann.get(`/o/${id}/members`).expect(200)
    expect(body.members.map(({ role }: { role: string }) => role).sort()).to.deep.equal(['member', 'owner'])
    const eve = request.agent(app.origin)
    await signInByLink(eve, mails, 'eve@example.com')
    await eve.get(`/o/${id}/members`).expect(404)
  })
})
