/** The user of a JWT session is in a claim of the engine, which no callback and no client can write. */

import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { useLinking } from '../sign-in/linking-stage.js'
import { type Browser, credentials, secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { heldSession, plantSession } from '../support/session.js'

const ann = { sub: 'ann', email: 'ann@example.com' }
const bob = { sub: 'bob', email: 'bob@example.com' }
const fresh = { sub: 'fresh', email: 'fresh@example.com' }

/** A callback that many applications have. */
const merging: ServerAuthConfig['callbacks'] = {
  jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...(session as object) } : token),
}

/** Writes into the object that it gets, at every depth. */
function mergeDeeply(target: Record<string, unknown>, source: object): void {
  for (const [key, value] of Object.entries(source)) {
    const known = target[key]
    if (isObject(known) && isObject(value)) mergeDeeply(known, value)
    else target[key] = value
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const deeply: Readonly<Record<string, ServerAuthConfig['callbacks']>> = {
  jwt: {
    jwt({ token, trigger, session }) {
      if (trigger === 'update') mergeDeeply(token, session as object)
      return token
    },
  },
  session: {
    session({ session, token, trigger, newSession }) {
      if (trigger === 'update') mergeDeeply(token ?? {}, newSession as object)
      return { ...session, user: { ...session.user, id: String(token?.sub) } }
    },
  },
}

describe('the engine’s claims of a JWT session', () => {
  const stage = useLinking()
  afterEach(restoreClock)

  const accountOf = async (browser: Browser) =>
    (await expressFunctions(stage.app.config).account.get(requestOf(browser)))?.user.email
  const requestOf = (browser: Browser) => ({
    headers: { cookie: browser.cookieHeader(), host: new URL(stage.app.origin).host },
    protocol: 'http',
  })

  async function update(browser: Browser, data: object): Promise<void> {
    const response = await browser.send('post', '/auth/session', { json: { csrfToken: await browser.csrf(), data } })
    expect(response.status).to.equal(200)
  }

  it('AZ-07 keep their values, whatever a client’s update has and the `jwt` callback returns', async () => {
    await stage.start({ strategy: 'jwt', callbacks: merging })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    const bobsId = await stage.enter(stage.app.browser(), 'one', bob)
    const before = await heldSession(browser)
    expect(before?.auth_owner).to.deep.equal({ id, type: 'oidc' })
    await update(browser, {
      sub: bobsId,
      sid: 'a'.repeat(22),
      auth_time: 1,
      auth_owner: { id: bobsId, type: 'oidc' },
      jti: 'x',
    })
    const after = await heldSession(browser)
    expect(after).to.deep.include({ sub: bobsId, sid: before?.sid, auth_time: before?.auth_time })
    expect(after?.auth_owner).to.deep.equal({ id, type: 'oidc' })
  })

  for (const [name, callbacks] of Object.entries(deeply)) {
    it(`keep their values if the \`${name}\` callback writes into the token itself`, async () => {
      await stage.start({ strategy: 'jwt', callbacks })
      const browser = stage.app.browser()
      const id = await stage.enter(browser, 'one', ann)
      const bobsId = await stage.enter(stage.app.browser(), 'one', bob)
      const before = await heldSession(browser)
      await update(browser, { color: 'red', sid: 'a'.repeat(22), auth_time: 1, auth_owner: { id: bobsId } })
      const after = await heldSession(browser)
      expect(after).to.deep.include({ color: 'red', sid: before?.sid, auth_time: before?.auth_time })
      expect(after?.auth_owner).to.deep.equal({ id, type: 'oidc' })
      expect(await accountOf(browser)).to.equal('ann@example.com')
    })
  }

  it('are set by the engine if the `jwt` callback writes into the user at sign-in', async () => {
    const victim = { sub: 'victim', email: 'victim@example.com' }
    let id = ''
    await stage.start({
      strategy: 'jwt',
      callbacks: {
        jwt({ token, user }) {
          if (user && id !== '') Object.assign(user, { id })
          return token
        },
      },
    })
    const victims = await stage.enter(stage.app.browser(), 'one', victim)
    id = victims
    const browser = stage.app.browser()
    await stage.signIn(browser, 'one', ann)
    expect((await heldSession(browser))?.auth_owner).to.not.deep.include({ id: victims })
  })

  it('determine the user of the account page, and the user to whom a new account is linked', async () => {
    await stage.start({ strategy: 'jwt', callbacks: merging })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    const bobsId = await stage.enter(stage.app.browser(), 'one', bob)
    await update(browser, { sub: bobsId })
    expect(await accountOf(browser)).to.equal('ann@example.com')
    await stage.signIn(browser, 'two', fresh)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann', 'two:fresh'])
    expect(await stage.recorder.accountsOf({ id: bobsId })).to.deep.equal(['one:bob'])
  })

  it('have no user if `authorize` only returned the id of a stored user', async () => {
    const signingIn = credentials({ authorize: ({ username }) => ({ id: String(username), name: 'x' }) })
    await stage.start({ strategy: 'jwt', callbacks: merging, more: [signingIn] })
    const victim = await stage.enter(stage.app.browser(), 'one', ann)
    const browser = stage.app.browser()
    await browser.signIn({ username: victim })
    expect(await browser.session()).to.have.property('user')
    await update(browser, { auth_owner: { id: victim, type: 'credentials' } })
    expect(await heldSession(browser)).to.not.have.property('auth_owner')
    expect(await accountOf(browser)).to.equal(undefined)
    await stage.signIn(browser, 'two', fresh)
    expect(await stage.recorder.accountsOf({ id: victim })).to.deep.equal(['one:ann'])
  })

  it('name the session by the same random value in every token that renews it, and by another after each sign-in', async () => {
    await stage.start({ strategy: 'jwt' })
    const browser = stage.app.browser()
    freezeClock()
    await stage.enter(browser, 'one', ann)
    const first = await heldSession(browser)
    expect(first?.sid).to.match(/^[\w-]{22}$/)
    expect(first?.auth_time).to.equal(seconds())
    advanceClock(2 * 24 * 60 * 60)
    await browser.session()
    const renewed = await heldSession(browser)
    expect(renewed?.iat).to.be.greaterThan(Number(first?.iat))
    expect(renewed).to.deep.include({ sid: first?.sid, auth_time: first?.auth_time })
    await stage.enter(browser, 'one', ann)
    expect((await heldSession(browser))?.sid).to.not.equal(first?.sid)
  })

  it('go through an `encode` and a `decode` of the application’s own', async () => {
    const jwt = {
      encode: async ({ token }: { token?: object }) => Buffer.from(JSON.stringify(token)).toString('base64url'),
      decode: async ({ token = '' }: { token?: string }) => JSON.parse(Buffer.from(token, 'base64url').toString()),
    }
    await stage.start({ strategy: 'jwt', jwt, callbacks: merging })
    const browser = stage.app.browser()
    await stage.enter(browser, 'one', ann)
    await update(browser, { auth_owner: { id: 'x', type: 'oidc' } })
    expect(await accountOf(browser)).to.equal('ann@example.com')
  })

  it('are missing in a session of an earlier version: it continues, has no owner until the next sign-in, and gets a name on which renewals agree', async () => {
    await stage.start({ strategy: 'jwt' })
    const user = await stage.have({ email: 'ann@example.com' }, ['one:ann'])
    const browser = stage.app.browser()
    freezeClock()
    await plantSession(browser, { sub: user.id, name: 'ann' }, { secret })
    const old = await heldSession(browser)
    const copy = stage.app.browser()
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    expect(await stage.who(browser)).to.equal(user.id)
    expect(await accountOf(browser)).to.equal(undefined)
    advanceClock(2 * 24 * 60 * 60)
    await Promise.all([browser.session(), copy.session()])
    const renewed = [await heldSession(browser), await heldSession(copy)]
    const name = `t-${old?.jti?.replaceAll('-', '').slice(0, 22)}`
    expect(renewed.map((token) => token?.sid)).to.deep.equal([name, name])
    advanceClock(2 * 24 * 60 * 60)
    await browser.session()
    expect((await heldSession(browser))?.sid).to.equal(name)
    expect(renewed.map((token) => token?.jti)).to.not.include(old?.jti)
    await stage.signIn(browser, 'two', fresh)
    expect(await stage.recorder.accountsOf({ id: user.id })).to.deep.equal(['one:ann'])
    await stage.enter(copy, 'one', ann)
    expect(await accountOf(copy)).to.equal('ann@example.com')
  })
})
