/** JWT sessions that end in one process, and the others: with each store. */

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { cookieLines, heldSession } from '../support/session.js'
import { at, beginSession, isIn, type SharedStores, sharedStores, startSite } from './sites.js'

/** Seconds: so long may another process not know of an end. */
const maxStale = 5

function routes(app: TestApp['app'], config: ServerAuthConfig): void {
  app.post('/others', (req, res, next) => {
    expressFunctions(config)
      .sessions.endOthers(req)
      .then((count) => res.json({ count }), next)
  })
  app.get('/account', (req, res, next) => {
    expressFunctions(config)
      .account.get(req)
      .then((account) => res.json(account), next)
  })
}

for (const [name, open] of Object.entries(sharedStores)) {
  describe(`JWT sessions that end, noted in ${name}`, () => {
    let stores: SharedStores
    let adapter: Adapter
    let here: TestApp
    let there: TestApp
    before(async function () {
      stores = await open(this)
      adapter = memoryAdapter()
      const options = { maxStale, config: { adapter }, routes, session: { bearer: true } }
      here = await startSite(stores.make(), options)
      there = await startSite(stores.make(), options)
    })
    after(async () => {
      restoreClock()
      await here?.close()
      await there?.close()
      await stores?.close()
    })

    /** Time passes until the other process looks again. It is never set back: what was read would be of the future then. */
    const wait = () => advanceClock(maxStale + 1)

    /** Creates a user whom the adapter knows. */
    const newUser = async () => {
      const id = `user-${randomUUID()}`
      await adapter.createUser?.({ id, email: `${id}@example.com`, emailVerified: null })
      return id
    }

    it('SE-03 sign out: null at once here, and within `maxStale` there', async () => {
      const ann = await beginSession(here, await newUser())
      const copy = at(there, ann)
      expect(await isIn(copy)).to.equal(true)
      const thief = at(here, ann)
      await ann.submit('/auth/signout')
      expect(await isIn(thief)).to.equal(false)
      wait()
      expect(await isIn(copy)).to.equal(false)
      expect(copy.cookies.has('auth.session-token'), 'the cookie is cleared').to.equal(false)
    })

    it('by a guard with `live`: at once there, too', async () => {
      const ann = await beginSession(here, await newUser())
      const copy = at(there, ann)
      expect(await isIn(copy)).to.equal(true)
      expect((await copy.get('/live')).status).to.equal(200)
      await ann.submit('/auth/signout')
      expect((await copy.get('/live')).status).to.equal(401)
    })

    it('as a bearer token', async () => {
      const ann = await beginSession(here, await newUser())
      const authorization = `Bearer ${ann.cookies.get('auth.session-token')}`
      const client = there.browser()
      expect((await client.get('/me', { authorization })).body).to.have.property('user')
      await ann.submit('/auth/signout')
      expect((await client.get('/live', { authorization })).status).to.equal(401)
      wait()
      expect((await client.get('/me', { authorization })).body).to.equal(null)
    })

    it('in whose place another one begins', async () => {
      const ann = here.browser()
      await ann.signIn()
      const before = at(there, ann)
      await ann.signIn()
      wait()
      expect(await isIn(before)).to.equal(false)
      expect(await isIn(at(there, ann))).to.equal(true)
    })

    it('all but this one', async () => {
      const [user, other] = [await newUser(), await newUser()]
      const [ann, phone, bob] = [
        await beginSession(here, user),
        await beginSession(here, user),
        await beginSession(here, other),
      ]
      expect((await ann.post('/others')).body).to.deep.equal({ count: 1 })
      expect([await isIn(ann), await isIn(phone), await isIn(bob)]).to.deep.equal([true, false, true])
      wait()
      const elsewhere = [ann, phone, bob].map((browser) => at(there, browser))
      expect(await Promise.all(elsewhere.map(isIn))).to.deep.equal([true, false, true])
    })

    it('all but this one, by a user whose session was ended elsewhere a moment ago: nothing ends', async () => {
      const user = await newUser()
      const thief = await beginSession(here, user)
      const copy = at(there, thief)
      expect(await isIn(copy)).to.equal(true)
      await thief.submit('/auth/signout')
      const owner = await beginSession(here, user)
      expect((await copy.post('/others')).body).to.deep.equal({ count: 0 })
      wait()
      expect(await isIn(at(there, owner))).to.equal(true)
    })

    it('all of a user, and of no other user', async () => {
      const [user, other] = [await newUser(), await newUser()]
      const [ann, old, bob] = [
        await beginSession(here, user),
        // From before there were claims of the engine's: older than any end of all.
        await beginSession(here, user, { auth_time: undefined, sid: undefined, auth_owner: undefined }),
        await beginSession(here, other),
      ]
      await expressFunctions(here.config).sessions.endAll(user)
      wait()
      const elsewhere = [ann, old, bob].map((browser) => at(there, browser))
      expect(await Promise.all(elsewhere.map(isIn))).to.deep.equal([false, false, true])
    })

    it('all of a user in the second in which a new one begins: what came before ends, what comes after lives', async () => {
      const user = 'id-of-ann'
      for (let round = 0; round < 3; round += 1) {
        const before = here.browser()
        await before.signIn()
        const [one, two] = round % 2 === 0 ? [here, there] : [there, here]
        await expressFunctions(one.config).sessions.endAll(user)
        const after = two.browser()
        await after.signIn()
        wait()
        expect(await isIn(at(there, before)), `begun before, round ${round}`).to.equal(false)
        expect(await isIn(at(here, after)), `begun after, round ${round}`).to.equal(true)
        expect(await isIn(at(there, after)), `begun after, elsewhere, round ${round}`).to.equal(true)
      }
    })

    it('of a disabled user: none, and no sign-in, until they are enabled again', async () => {
      const ann = here.browser()
      await ann.signIn()
      const copy = at(there, ann)
      expect(await isIn(copy)).to.equal(true)
      await expressFunctions(here.config).users.disable('id-of-ann')
      expect(await isIn(at(here, ann))).to.equal(false)
      const refused = await at(there, there.browser()).signIn()
      expect(refused.headers.location).to.contain('error=AccessDenied')
      expect(cookieLines(refused)).to.deep.equal([])
      wait()
      expect(await isIn(copy)).to.equal(false)
      await expressFunctions(there.config).users.enable('id-of-ann')
      const again = here.browser()
      await again.signIn()
      wait()
      expect(await isIn(at(here, again)), 'a new session, where the user was disabled').to.equal(true)
      expect(await isIn(at(there, again)), 'a new session, where they were let in').to.equal(true)
      expect(await isIn(at(there, ann)), 'the session of before').to.equal(false)
    })

    it('of no other user if a stranger sends a session of their own making', async () => {
      const ann = await beginSession(here, await newUser())
      const { sid } = (await heldSession(ann)) ?? {}
      const stranger = here.browser()
      stranger.cookies.set('auth.session-token', `${sid}.${sid}.${sid}.${sid}.${sid}`)
      await stranger.submit('/auth/signout')
      wait()
      expect(await isIn(at(there, ann))).to.equal(true)
    })

    it('and are not listed', async () => {
      const ann = await beginSession(here, await newUser())
      expect((await ann.get('/account')).body.sessions).to.deep.equal([])
    })
  })
}
