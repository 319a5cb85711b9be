/** A user whose sessions are to end tries to keep them, by anything that a client may send. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { decode } from '../../lib/jwt.js'
import { type Browser, credentials, secret, startApp, type TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { sessionName } from '../support/session.js'

/** A callback that many applications have. */
const merging: ServerAuthConfig['callbacks'] = {
  jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...(session as object) } : token),
}

const patches: Readonly<Record<string, object>> = {
  'another user’s id': { sub: 'somebody-else' },
  'no user at all': { sub: null },
  'another session': { sid: 'AAAAAAAAAAAAAAAAAAAAAA' },
  'a beginning that is still to come': { auth_time: 4_102_444_800 },
  'an epoch of the engine’s': { auth_epoch: { user: 'somebody-else', from: 4_102_444_800 } },
  'a user of the engine’s': { auth_owner: { id: 'somebody-else', type: 'oauth' } },
  'a session at a provider': { auth_op: { subject: 's', session: 's', byFrame: true } },
  'a prototype': JSON.parse('{"__proto__": {"sub": "somebody-else"}, "constructor": {"prototype": {}}}'),
}

describe('SE-03 two applications that share a store, one of which has shorter sessions', () => {
  it('the end that one of them stores is valid for as long as sessions of the other live', async () => {
    const revocation = memoryStore()
    const providers = [credentials({ authorize: () => ({ id: 'mallory', name: 'Mallory' }) })]
    const day = 24 * 60 * 60
    const shop = await startApp({ providers, session: { revocation, maxAge: 90 * day } })
    const office = await startApp({ providers, session: { revocation, maxAge: 3600 } })
    try {
      const mallory = shop.browser()
      await mallory.submit('/auth/callback/credentials', { username: 'm', password: 'p' })
      const isIn = async () => (await mallory.get('/auth/session')).body !== null
      expect(await isIn()).to.equal(true)
      await expressFunctions(office.config).sessions.endAll('mallory')
      advanceClock(40 * day)
      // The store makes room when something is written, and so does the process's copy.
      for (let count = 0; count < 50; count += 1) await expressFunctions(office.config).sessions.endAll(`user-${count}`)
      expect(await isIn()).to.equal(false)
    } finally {
      restoreClock()
      await Promise.all([shop.close(), office.close()])
    }
  })
})

describe('AZ-07 a user without a row, whose callback merges values of clients', () => {
  let app: TestApp
  let mallory: Browser
  beforeEach(async () => {
    app = await startApp({
      providers: [credentials({ authorize: () => ({ id: 'mallory', name: 'Mallory' }) })],
      session: { revocation: memoryStore() },
      callbacks: merging,
    })
    mallory = app.browser()
    await mallory.submit('/auth/callback/credentials', { username: 'm', password: 'p' })
    expect(await isIn()).to.equal(true)
  })
  afterEach(() => app.close())

  const isIn = async () => (await mallory.get('/auth/session')).body !== null
  const update = async (data: object) =>
    mallory.send('post', '/auth/session', { json: { csrfToken: await mallory.csrf(), data } })

  for (const [what, patch] of Object.entries(patches)) {
    it(`is disabled all the same: an update with ${what}`, async () => {
      expect((await update(patch)).status).to.equal(200)
      expect(await isIn()).to.equal(true)
      await expressFunctions(app.config).users.disable('mallory')
      expect(await isIn()).to.equal(false)
    })

    it(`is signed out all the same: an update with ${what}`, async () => {
      await update(patch)
      await expressFunctions(app.config).sessions.endAll('mallory')
      expect(await isIn()).to.equal(false)
    })
  }

  it('is not extended by many ends of all sessions that set a beginning in the future', async () => {
    for (let count = 0; count < 50; count += 1) await expressFunctions(app.config).sessions.endAll('mallory')
    await mallory.submit('/auth/callback/credentials', { username: 'm', password: 'p' })
    expect(await isIn()).to.equal(true)
    const text = mallory.cookies.get(sessionName) ?? ''
    const token = await decode({ token: text, secret, salt: sessionName })
    expect(token?.auth_time)
      .to.be.a('number')
      .and.at.most(Math.ceil(Date.now() / 1000) + 2)
    await expressFunctions(app.config).sessions.endAll('mallory')
    expect(await isIn(), 'what comes after the beginning ends it').to.equal(false)
  })
})
