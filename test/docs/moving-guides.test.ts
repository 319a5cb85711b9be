/** Guides about moving here from other libraries: started as they say, and used over HTTP. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import request from 'supertest'
import { connect } from '../../lib/adapters/sql/index.js'
import { openIdProvider, type TestOpenIdProvider } from '../../lib/testing/index.js'
import { betterAuthSite } from './better-auth-site.js'
import { compile, type RunningProgram, remove, start, unpack, write } from './guide-code.js'

const run = promisify(execFile)
type Browser = ReturnType<typeof request.agent>

async function signInByPassword(browser: Browser, fields: Record<string, string>, provider = 'credentials') {
  const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
  return browser
    .post(`/auth/callback/${provider}`)
    .type('form')
    .send({ csrfToken, ...fields })
}

/** Returns the environment of an application that signs in at the provider. */
const companyOf = ({ settings }: TestOpenIdProvider) => ({
  AUTH_COMPANY_ISSUER: settings.issuer,
  AUTH_COMPANY_ID: settings.clientId,
  AUTH_COMPANY_SECRET: settings.clientSecret,
})

describe('the guide from Passport', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/from-passport.md')
  let app: RunningProgram
  let provider: TestOpenIdProvider
  before(async () => {
    // The old application: Passport, with its sessions. `/old/login/1` signs its user in.
    const server = `
      import express from 'express'
      import session from 'express-session'
      import passport from 'passport'
      import { app } from './app.js'
      passport.serializeUser((user, done) => done(null, user.id))
      passport.deserializeUser((id, done) => done(null, { id }))
      const old = express.Router()
      old.use(passport.initialize(), passport.session())
      old.get('/login/:id', (req, res, next) => req.login({ id: req.params.id }, (error) => error ? next(error) : res.end()))
      old.get('/me', (req, res) => res.json(req.user ?? null))
      express()
        .use(session({ secret: 'old', resave: false, saveUninitialized: false }))
        .use('/old', old)
        .use(app)
        .listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`
    write(folder, 'server.js', server)
    const company = "{ id: 'company', name: 'Company', type: 'oidc' },"
    const text = readFileSync(join(folder, 'auth.ts'), 'utf8')
    write(folder, 'auth.ts', text.replace('// Google, GitHub …', company))
    const users = ['bob-there', 'cleo-there'].map((sub) => ({ sub, name: sub, email_verified: false }))
    provider = await openIdProvider({ users })
    app = await start(folder, 'server.js', companyOf(provider))
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('signs in with the old passwords, and fills req.user', async () => {
    const browser = request.agent(app.origin)
    await signInByPassword(browser, { username: 'ann', password: 'wrong' })
    expect((await browser.get('/')).text).to.contain('Sign in')
    await signInByPassword(browser, { username: 'ann', password: 'right' })
    expect((await browser.get('/')).text).to.equal('Hello ann')
    await browser.get('/profile').expect(200, { id: '1', name: 'ann' })
    await request(app.origin).get('/login').expect(302)
  })

  async function signInAtCompany(sub: string): Promise<{ id: string; name: string }> {
    const browser = request.agent(app.origin)
    const { csrfToken } = (await browser.get('/auth/csrf')).body
    const begun = await browser.post('/auth/signin/company').type('form').send({ csrfToken })
    const back = new URL(await provider.signIn(begun.headers.location ?? '', sub))
    await browser.get(back.pathname + back.search).expect(302)
    return (await browser.get('/profile').expect(200)).body
  }

  it('finds its own user after a sign-in at a provider, and creates a missing one once', async () => {
    expect(await signInAtCompany('bob-there')).to.deep.equal({ id: '2', name: 'bob' })
    const cleo = await signInAtCompany('cleo-there')
    expect(cleo.name).to.equal('cleo-there')
    expect(await signInAtCompany('cleo-there')).to.deep.equal(cleo)
  })

  it('takes over the users who are signed in with Passport, once', async () => {
    const signInBefore = async (id: string) => {
      const browser = request.agent(app.origin)
      await browser.get(`/old/login/${id}`).expect(200)
      await browser.get('/old/me').expect(200, { id })
      return browser
    }
    const ann = await signInBefore('1')
    for (const _ of ['first', 'later']) await ann.get('/profile').expect(200, { id: '1', name: 'ann' })
    await ann.get('/old/me').expect(200, 'null')
    const { csrfToken } = (await ann.get('/auth/csrf')).body
    await ann.post('/auth/signout').type('form').send({ csrfToken }).expect(303)
    await ann.get('/profile').set('Accept', 'application/json').expect(401)
    const stranger = await signInBefore('7')
    await stranger.get('/profile').set('Accept', 'application/json').expect(401)
  })

  it('copies users and accounts into the tables of an adapter, with their ids', async () => {
    const program = `
      import { connect, migrate, sqlAdapter } from 'server-auth/adapters/sql'
      import { copyUsers } from './copy-users.js'
      const db = connect('sqlite:copied.db')
      await migrate(db)
      const adapter = sqlAdapter(db)
      const accounts = [{ provider: 'google', profileId: '107' }]
      const users = [{ id: '2', name: 'bob', email: 'Bob@Example.com', isVerified: true, accounts }]
      for (const _ of ['once', 'again']) await copyUsers(users, adapter)
      const user = await adapter.getUserByAccount({ provider: 'google', providerAccountId: '107' })
      console.log(user.id, user.email, user.emailVerified instanceof Date)
      await db.destroy()`
    write(folder, 'copy.js', program)
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'copy.js'], { cwd: folder })
    expect(stdout).to.equal('2 bob@example.com true\n')
  })
})

describe('the guide from express-openid-connect', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/from-express-openid-connect.md')
  let provider: TestOpenIdProvider
  let app: RunningProgram
  before(async () => {
    provider = await openIdProvider({
      users: [
        { sub: 'ann', name: 'Ann', groups: ['admins', 7] },
        { sub: 'bob', name: 'Bob' },
      ],
    })
    app = await start(folder, 'app.ts', companyOf(provider))
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  async function signIn(sub: string): Promise<Browser> {
    const browser = request.agent(app.origin)
    const begun = await browser.get('/login')
    const back = new URL(await provider.signIn(begun.headers.location ?? '', sub))
    await browser.get(back.pathname + back.search).expect(302)
    return browser
  }

  it('compiles, strictly', () => compile(folder))

  it('signs in by /login, and asks for claims', async () => {
    const [ann, bob] = [await signIn('ann'), await signIn('bob')]
    expect((await ann.get('/profile').expect(200)).body).to.deep.include({ groups: ['admins'] })
    expect((await bob.get('/profile').expect(200)).body).to.deep.include({ groups: [] })
    await ann.get('/admin').expect(200)
    await bob.get('/admin').expect(403)
    await request(app.origin).get('/admin').set('Accept', 'application/json').expect(401)
  })

  it('signs out at the provider, too', async () => {
    const ann = await signIn('ann')
    const { csrfToken } = (await ann.get('/auth/csrf')).body
    const { headers } = await ann.post('/auth/signout').type('form').send({ csrfToken }).expect(303)
    expect(headers.location).to.match(new RegExp(`^${provider.issuer}/session/end`))
    await ann.get('/profile').set('Accept', 'application/json').expect(401)
  })
})

describe('the guide from Better Auth', function () {
  this.timeout(120_000)
  this.slow(20_000)
  const folder = unpack('guides/from-better-auth.md')
  const env = {
    OLD_DATABASE_URL: `sqlite:${join(folder, 'old.db')}`,
    DATABASE_URL: `sqlite:${join(folder, 'app.db')}`,
  }
  let provider: TestOpenIdProvider
  let app: RunningProgram
  let ids: Readonly<Record<'ann' | 'bob' | 'cleo', string>>
  before(async () => {
    provider = await openIdProvider({
      users: [{ sub: 'bob-there', name: 'Bob', email: 'bob@example.com', email_verified: true }],
    })
    const site = await betterAuthSite(env.OLD_DATABASE_URL, provider)
    const [ann, cleo] = [
      await site.signUp({ name: 'Ann', email: 'Ann@Example.com', password: 'ﬁrst password' }),
      await site.signUp({ name: 'Cleo', email: 'cleo@example.com', password: 'second password' }),
    ]
    await site.verify(cleo)
    ids = { ann, cleo, bob: await site.signUpAtCompany('bob-there') }
    await site.close()
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  /** Runs the program of the guide, with its variables only, and returns its output. */
  async function move(settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const args = ['--import', 'tsx', 'move.ts']
    const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env, ...settings } }
    return run(process.execPath, args, options).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
  }

  async function userAfterPassword(email: string, password: string): Promise<unknown> {
    const browser = request.agent(app.origin)
    await signInByPassword(browser, { email, password }, 'password')
    const { status, body } = await browser.get('/me').set('Accept', 'application/json')
    return status === 200 ? body.userId : status
  }

  it('compiles, strictly', () => compile(folder))

  it('counts the users with an unverified address, and stops before it moves one', async () => {
    const output = await move()
    expect(output).to.contain('Users with an unverified email address: 1 of 3.').and.contain('No user was moved.')
    const db = connect<{ auth_users: { id: string } }>(env.DATABASE_URL)
    expect(await db.selectFrom('auth_users').select('id').execute()).to.deep.equal([])
    await db.destroy()
  })

  it('with UNVERIFIED=keep, signs in users with a verified address only', async () => {
    for (const _ of ['once', 'again'])
      expect(await move({ UNVERIFIED: 'keep' })).to.contain('Users in the new tables: 3.')
    // A provider is added at the place that the guide names.
    const company = "{ id: 'company', name: 'Company', type: 'oidc' },"
    const text = readFileSync(join(folder, 'auth.ts'), 'utf8')
    write(folder, 'auth.ts', text.replace('// Google, GitHub …', company))
    app = await start(folder, 'app.ts', { ...env, ...companyOf(provider) })
    expect(await userAfterPassword('cleo@example.com', 'second password')).to.equal(ids.cleo)
    expect(await userAfterPassword('cleo@example.com', 'wrong')).to.equal(401)
    expect(await userAfterPassword('ann@example.com', 'ﬁrst password')).to.equal(401)
  })

  it('with UNVERIFIED=trust afterwards, signs in all users with the old passwords', async () => {
    expect(await move({ UNVERIFIED: 'trust', ...companyOf(provider) })).to.contain('Users in the new tables: 3.')
    expect(await userAfterPassword('Ann@example.com', 'ﬁrst password')).to.equal(ids.ann)
    expect(await userAfterPassword('ann@example.com', 'wrong')).to.equal(401)
  })

  it('recognises accounts of providers', async () => {
    const browser = request.agent(app.origin)
    const { csrfToken } = (await browser.get('/auth/csrf')).body
    const begun = await browser.post('/auth/signin/company').type('form').send({ csrfToken })
    const back = new URL(await provider.signIn(begun.headers.location ?? '', 'bob-there'))
    await browser.get(back.pathname + back.search).expect(302)
    expect((await browser.get('/me').expect(200)).body.userId).to.equal(ids.bob)
  })

  it('names the providers that are missing in its list, and moves no user', async () => {
    const db = connect<{ account: { providerId: string; accountId: string } }>(env.OLD_DATABASE_URL)
    await db.updateTable('account').set({ providerId: 'acme' }).where('accountId', '=', 'bob-there').execute()
    await db.destroy()
    const settings = { UNVERIFIED: 'keep', ...companyOf(provider) }
    expect(await move(settings)).to.contain('No user was moved. Add acme to `providers`.')
  })
})
