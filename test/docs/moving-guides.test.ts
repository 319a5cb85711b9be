/** Guides about moving here from other libraries: started as they say, and used over HTTP. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import request from 'supertest'
import { connect } from '../../lib/adapters/sql/index.js'
import { openIdProvider, type TestOpenIdProvider } from '../../lib/testing/index.js'
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
  before(async () => {
    // The properties that express-session and Passport leave on the request, for the user whom the cookie `old` names.
    const server = `
      import express from 'express'
      import { app } from './app.js'
      const held = {}
      express()
        .use((req, res, next) => {
          const [, user] = /old=(\\w+)/.exec(req.headers.cookie ?? '') ?? []
          if (user) req.session = held[user] ??= { passport: { user } }
          next()
        })
        .use(app)
        .listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`
    write(folder, 'server.js', server)
    app = await start(folder, 'server.js')
  })
  after(async () => {
    await app?.close()
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

  it('takes over the users who are signed in with Passport, once', async () => {
    const old = (await request(app.origin).get('/profile').set('Cookie', 'old=1').expect(200)).get('Set-Cookie') ?? []
    const cookie = old.map((each) => each.split(';')[0]).join('; ')
    await request(app.origin).get('/profile').set('Cookie', cookie).expect(200, { id: '1', name: 'ann' })
    await request(app.origin).get('/profile').set('Cookie', 'old=1').set('Accept', 'application/json').expect(401)
    await request(app.origin).get('/profile').set('Cookie', 'old=2').set('Accept', 'application/json').expect(401)
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
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/from-better-auth.md')
  const env = {
    OLD_DATABASE_URL: `sqlite:${join(folder, 'old.db')}`,
    DATABASE_URL: `sqlite:${join(folder, 'app.db')}`,
  }
  let provider: TestOpenIdProvider
  let app: RunningProgram
  before(async () => {
    await fillOldDatabase(env.OLD_DATABASE_URL)
    provider = await openIdProvider({ users: [{ sub: 'bob-there', name: 'Bob' }] })
    const settings = { ...env, ...companyOf(provider) }
    const args = ['--import', 'tsx', 'move.ts']
    for (const _ of ['once', 'again']) {
      await run(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...settings } })
    }
    app = await start(folder, 'app.ts', settings)
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('signs in with the old passwords', async () => {
    const browser = request.agent(app.origin)
    await signInByPassword(browser, { email: 'ann@example.com', password: 'wrong' }, 'password')
    await browser.get('/me').set('Accept', 'application/json').expect(401)
    await signInByPassword(browser, { email: 'Ann@example.com', password: 'ﬁrst password' }, 'password')
    expect((await browser.get('/me').expect(200)).body.userId).to.equal('user-ann')
  })

  it('recognises accounts of providers', async () => {
    const browser = request.agent(app.origin)
    const { csrfToken } = (await browser.get('/auth/csrf')).body
    const begun = await browser.post('/auth/signin/company').type('form').send({ csrfToken })
    const back = new URL(await provider.signIn(begun.headers.location ?? '', 'bob-there'))
    await browser.get(back.pathname + back.search).expect(302)
    expect((await browser.get('/me').expect(200)).body.userId).to.equal('user-bob')
  })
})

/**
 * Creates the tables of Better Auth 1.7 for SQLite, with Ann, who has a password, and Bob, who signs in at a provider.
 */
async function fillOldDatabase(url: string): Promise<void> {
  const db = connect(url)
  const salt = '467b3e6de49bc42834ae833c202f812a'
  // Its hash of "first password", typed with a ligature.
  const key = scryptSync('first password', salt, 64, { N: 16384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }).toString(
    'hex',
  )
  const statements = [
    sql`create table "user" ("id" text primary key, "name" text not null, "email" text not null unique,
      "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null)`,
    sql`create table "account" ("id" text primary key, "accountId" text not null, "providerId" text not null,
      "userId" text not null references "user" ("id"), "accessToken" text, "refreshToken" text, "idToken" text,
      "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
      "createdAt" date not null, "updatedAt" date not null)`,
    sql`insert into "user" values ('user-ann', 'Ann', 'ann@example.com', 1, null, '2026-01-01', '2026-01-01'),
      ('user-bob', 'Bob', 'bob@example.com', 0, null, '2026-01-01', '2026-01-01')`,
    sql`insert into "account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt") values
      ('1', 'user-ann', 'credential', 'user-ann', ${`${salt}:${key}`}, '2026-01-01', '2026-01-01'),
      ('2', 'bob-there', 'company', 'user-bob', null, '2026-01-01', '2026-01-01')`,
  ]
  for (const statement of statements) await statement.execute(db)
  await db.destroy()
}
