/** Attacks on apps through other features: pages of trusted origins, and the token of an app in a browser. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { RecordStore } from '../../lib/types/store.js'
import { doors, enrolled, openFactorStage, stopClock, waiting } from '../factors/stage.js'
import { restoreClock } from '../support/clock.js'
import { strategies } from '../support/world.js'
import { AppClient, base, clients, destinationOf, doorNames, formOf, openStage, pressContinue } from './stage.js'

const trusted = 'https://app.localhost'

for (const door of doorNames) {
  for (const strategy of strategies) {
    describe(`attacks on apps (${door}, ${strategy} sessions)`, () => {
      it('AP-04 no page of a trusted origin reads the page or approves, although it has the CSRF token', async () => {
        const stage = await openStage(door, strategy, { trustedOrigins: [trusted] })
        const browser = await stage.signIn()
        const app = new AppClient(stage.origin)
        const sites: Record<string, string>[] = [{ 'sec-fetch-site': 'same-site' }, {}]
        for (const site of sites) {
          const sender = { origin: trusted, ...site }
          expect((await browser.get(`${base}/csrf`, sender)).headers).to.include({
            'access-control-allow-origin': trusted,
          })
          const page = await browser.get(app.path, sender)
          expect(page.headers).to.not.have.property('access-control-allow-origin')
          const { action, fields } = formOf(await browser.get(app.path))
          const forged = await browser.post(action, fields, sender)
          expect(forged.headers.location).to.include('error=MissingCSRF')
          expect(`${JSON.stringify(forged.headers)}${forged.text}`).to.not.include('code=')
          expect(forged.headers).to.not.have.property('access-control-allow-origin')
          const preflight = await browser.ask(app.path, {
            method: 'OPTIONS',
            headers: { ...sender, 'access-control-request-method': 'POST' },
          })
          expect(preflight.headers).to.not.have.property('access-control-allow-origin')
        }
        expect((await app.redeem(await app.codeOf(browser))).status).to.equal(200)
        await stage.close()
      })

      it('AP-05 the token of an app in the cookie of a browser approves no other app', async () => {
        const stage = await openStage(door, strategy)
        const own = await stage.signIn()
        const token = await new AppClient(stage.origin).signIn(own)
        const [name = ''] = [...own.cookies.keys()].filter((each) => each.endsWith('session-token'))
        const thief = stage.browser()
        // The thief has a proof of this site for another session.
        await thief.get('/start?email=thief@example.com')
        thief.cookies.set(name, token)
        expect((await thief.get('/me')).body.user.email).to.equal('ann@example.com')
        const answer = await thief.get(new AppClient(stage.origin).path)
        expect(new URL(answer.headers.location ?? '').pathname).to.equal(`${base}/signin`)
        await stage.close()
      })
    })
  }
}

for (const [door, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`an app and second factors (${door}, ${strategy} sessions)`, () => {
      beforeEach(stopClock)
      afterEach(restoreClock)

      it('AP-05 a sign-in with a pending second factor approves no app; afterwards the app has both proofs', async () => {
        const stage = await openFactorStage(open, {
          apps: { clients },
          session: { strategy, bearer: true, revocation: true },
        })
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        const app = new AppClient(stage.door.origin)
        const page = await held.get(app.path)
        expect(new URL(page.headers.location ?? '').pathname).to.equal(`${base}/signin`)
        // The form of the finished session, in the browser of the pending sign-in.
        const { action, fields } = formOf(await ann.get(app.path))
        const forged = await held.post(action, { ...fields, csrfToken: await held.csrf(base) })
        expect(`${JSON.stringify(forged.headers)}${forged.text}`).to.not.include('code=')
        const url = destinationOf(await pressContinue(ann, await ann.get(app.path)))
        const { token } = (await app.redeem(url.searchParams.get('code') ?? '')).body
        const session = await app.get(token, '/by-session')
        expect(session.body.assurance, session.text).to.include({ aal: 2 })
        await stage.close()
      })
    })
  }
}

/** The ends of all sessions of a user. */
const ends = ['/end-all', '/disable'] as const

for (const strategy of strategies) {
  for (const end of ends) {
    for (const step of ['find', 'write used', 'write session'] as const) {
      it(`AP-05 no session of an app survives ${end} that runs before the step: ${step} (${strategy} sessions)`, async () => {
        const adapter = memoryAdapter()
        const { records } = adapter.store()
        let run: ((step: string) => Promise<unknown>) | undefined
        const stopped: RecordStore = Object.assign(Object.create(records), {
          async find(...args: Parameters<RecordStore['find']>) {
            await run?.('find')
            return records.find(...args)
          },
          async write(...args: Parameters<RecordStore['write']>) {
            await run?.(args[1].session ? 'write session' : 'write used')
            return records.write(...args)
          },
        })
        const stage = await openStage('Express', strategy, {
          adapter,
          apps: { clients, store: { records: stopped } },
          // Without it, only the database knows the ends of database sessions.
          session: { revocation: strategy === 'jwt' || end === '/disable' },
        })
        const browser = await stage.signIn()
        const app = new AppClient(stage.origin)
        const code = await app.codeOf(browser)
        const { id } = (await browser.get('/me')).body.user
        const ran: unknown[] = []
        run = async (at) => {
          if (at !== step || ran.length > 0) return
          ran.push(at)
          ran.push((await browser.get(`${end}?user=${id}`)).status)
        }
        const { status, body } = await app.redeem(code)
        run = undefined
        expect(ran).to.deep.equal([step, 200])
        if (status === 200) expect((await app.get(body.token)).body ?? null).to.equal(null)
        else expect(status).to.equal(400)
        await stage.close()
      })
    }
  }
}
