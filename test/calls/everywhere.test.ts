/** `signOut({ everywhere: true })`: ends all sessions of the user, at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Browser, Door } from '../support/app.js'
import { copyAt, entryPoints, isIn, leave, ownPage, places, Site } from './everywhere-places.js'

for (const place of Object.keys(places)) {
  for (const name of ['express', 'shim'] as const) {
    describe(`signOut everywhere, ${place}, ${name}`, () => {
      let site: Site
      let events: Site['events']
      beforeEach(() => {
        site = new Site(place, name)
        events = site.events
      })
      afterEach(() => site.close())
      const start = (options?: object) => site.start(options)
      const signedIn = (door: Door, username?: string): Promise<Browser> => site.signedIn(door, username)

      it('ends all sessions of the user, and none of others, with one event each', async () => {
        const door = await start()
        const [phone, laptop, here, bob] = [
          await signedIn(door),
          await signedIn(door),
          await signedIn(door),
          await signedIn(door, 'bob'),
        ]
        const copy = copyAt(door, here)
        events.length = 0
        const answer = await leave(here, door)
        expect(answer.headers.location).to.equal(`${door.origin}/bye`)
        for (const [which, browser] of Object.entries({ phone, laptop, here, copy }))
          expect(await isIn(browser), which).to.equal(false)
        expect(await isIn(bob)).to.equal(true)
        expect(events.filter(([event]) => event === 'signOut')).to.have.length(1)
        const ended = events.filter(([event]) => event === 'sessionEnded').map(([, message]) => message)
        expect(ended).to.have.length(place.startsWith('JWT') ? 1 : 2)
        for (const message of ended) {
          expect(message).to.include({ reason: 'endOtherSessions' }).and.have.property('endedBy')
        }
        expect(Object.keys(Object(events.find(([event]) => event === 'signOut')?.[1]))).to.not.include('userId')
      })

      it('reaches other processes', async () => {
        const there = await start()
        const phone = await signedIn(there)
        const here = await start()
        const laptop = await signedIn(here)
        await leave(laptop, here)
        expect(await isIn(copyAt(await start(), phone))).to.equal(false)
      })

      it('lets the user sign in again, and ends nothing for a session that had ended', async () => {
        const door = await start()
        const stale = await signedIn(door)
        const copy = copyAt(door, stale)
        await leave(stale, door)
        const fresh = await signedIn(door)
        await leave(copy, door)
        await leave(door.browser(), door)
        expect(await isIn(fresh)).to.equal(true)
      })

      it('ends nothing for a session that another process has ended, before this one knows', async () => {
        const [there, here] = [await start(), await start()]
        const stale = await signedIn(there)
        const copy = copyAt(here, stale)
        expect(await isIn(copy), 'read by this process').to.equal(true)
        await leave(stale, there)
        const fresh = await signedIn(there)
        const { headers } = await leave(copy, here)
        expect(headers.location).to.equal(`${here.origin}/bye`)
        expect(await isIn(copyAt(await start(), fresh))).to.equal(true)
      })

      it('is a plain sign-out for a session that has ended: no error, no retry, no log', async () => {
        const door = await start()
        const stale = await signedIn(door)
        const copy = copyAt(door, stale)
        await leave(stale, door)
        const { headers, cookies } = await leave(copy, door)
        expect(headers.location).to.equal(`${door.origin}/bye`)
        expect(cookies.join()).to.match(/session-token=; Max-Age=0/)
        expect([...door.log.errors, ...door.log.warnings]).to.deep.equal([])
      })

      it('CS-01 changes nothing in a request of another site', async () => {
        const door = await start()
        const [phone, here] = [await signedIn(door), await signedIn(door)]
        const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
        const answer = await here.ask('/do', { method: 'POST', headers })
        expect(answer.status).to.not.be.lessThan(400)
        expect([await isIn(phone), await isIn(here)]).to.deep.equal([true, true])
      })

      it('is not done by the route, nor without the option', async () => {
        const door = await start({ redirectTo: '/bye' })
        const [phone, tablet, here] = [await signedIn(door), await signedIn(door), await signedIn(door)]
        await here.submit('/api/auth/signout', { everywhere: 'true' })
        await leave(tablet, door)
        expect([await isIn(phone), await isIn(tablet), await isIn(here)]).to.deep.equal([true, false, false])
      })
    })
  }
}

for (const [name, open] of Object.entries(entryPoints)) {
  describe(`signOut everywhere that cannot work, ${name}`, () => {
    const adapterWithoutList = () => {
      const { listSessionsByUserId: _list, ...adapter } = memoryAdapter()
      return adapter
    }
    for (const [what, config, type] of [
      ['JWT sessions without revocation', { session: { strategy: 'jwt' } }, 'InvalidConfiguration'],
      [
        'an adapter that lists no sessions',
        { adapter: adapterWithoutList(), session: { strategy: 'database' } },
        'MissingAdapterMethods',
      ],
    ] as const) {
      it(`throws ${type} with ${what}, and the user stays signed in`, async () => {
        const door = await open(config, (calls) => calls.signOut({ everywhere: true }))
        try {
          const browser = door.browser()
          await browser.signIn({}, '/api/auth')
          const answer = await browser.ask('/do', { method: 'POST', headers: ownPage(door.origin) })
          expect(answer.body).to.include({ type })
          expect(await browser.session('/api/auth')).to.not.equal(null)
        } finally {
          await door.close()
        }
      })
    }

    it('signs out here and throws SignOutError if the store fails', async () => {
      const adapter = memoryAdapter()
      let isDown = false
      const failing = {
        ...adapter,
        listSessionsByUserId: async (userId: string) => {
          if (isDown) throw new Error('down')
          return (await adapter.listSessionsByUserId?.(userId)) ?? []
        },
      }
      const ends: string[] = []
      const door = await open(
        {
          adapter: failing,
          session: { strategy: 'database' },
          events: { signOut: () => void ends.push('signOut'), sessionEnded: () => void ends.push('sessionEnded') },
        },
        (calls) => calls.signOut({ everywhere: true }),
      )
      try {
        const [phone, here] = [door.browser(), door.browser()]
        await phone.signIn({}, '/api/auth')
        await here.signIn({}, '/api/auth')
        isDown = true
        const answer = await here.ask('/do', { method: 'POST', headers: ownPage(door.origin) })
        expect(answer.body).to.include({ type: 'SignOutError' })
        expect(await here.session('/api/auth')).to.equal(null)
        isDown = false
        for (let tries = 0; tries < 40 && (await phone.session('/api/auth')) !== null; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 100))
        expect(await phone.session('/api/auth'), 'it is retried').to.equal(null)
        expect(ends).to.deep.equal(['signOut', 'sessionEnded'])
      } finally {
        await door.close()
      }
    })
  })
}
