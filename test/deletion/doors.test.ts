/** Sessions, sign-ins and links of a user who is deleted meanwhile: at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { better, expectNobody, expectSignedIn, good, places, type Stage, startStage } from '../password/stage.js'
import { type Browser, target } from '../support/app.js'
import { passwordsIn } from '../support/stores.js'

const email = 'ann@example.com'

for (const { name: place, door, start, strategy } of places) {
  describe(`a user who is deleted (${place})`, () => {
    let stage: Stage
    let adapter: ReturnType<typeof memoryAdapter>
    let ann: Browser
    let id: string
    /** Runs in the `signIn` callback of the next sign-in. */
    let meanwhile: () => Promise<unknown>
    /** Runs in a deletion, after the sessions ended and before the user is removed. */
    let halfway: () => Promise<unknown>
    /** Runs before the next write of a record. */
    let beforeWrite: (() => Promise<unknown>) | undefined

    beforeEach(async () => {
      adapter = memoryAdapter()
      meanwhile = async () => {}
      halfway = async () => {}
      beforeWrite = undefined
      const real = adapter.store()
      const store: typeof real = {
        ...real,
        records: {
          ...real.records,
          async write(...given) {
            const work = beforeWrite
            beforeWrite = undefined
            await work?.()
            return real.records.write(...given)
          },
        },
      }
      const slow: typeof adapter = {
        ...adapter,
        store: () => store,
        async deleteVerificationTokens(identifier) {
          const work = halfway
          halfway = async () => {}
          await work()
          return adapter.deleteVerificationTokens(identifier)
        },
      }
      stage = await startStage({
        start,
        config: {
          adapter: slow,
          deletion: true,
          session: { strategy, revocation: strategy === 'jwt' ? { list: true } : true },
          callbacks: {
            async signIn() {
              await meanwhile()
              return true
            },
          },
        },
      })
      ann = stage.browser()
      await stage.register(ann, email)
      id = (await adapter.getUserByEmail(email))?.id ?? ''
    })
    afterEach(() => stage.close())

    /** Deletes the user, in a request at the door. */
    const remove = async (): Promise<unknown> => {
      const headers = { host: new URL(stage.app.origin).host }
      if (door === 'Express')
        return expressFunctions(stage.app.config).users.delete(id, { reason: 'test' }, {
          headers,
          protocol: 'http',
        } as never)
      let result: unknown
      await withRequest(new Request(`${stage.app.origin}/admin`, { headers }), async () => {
        result = await initAuth(stage.app.config).users.delete(id, { reason: 'test' })
        return new Response()
      })
      return result
    }

    it('DL-06 has no session any more, in any browser', async () => {
      const other = stage.browser()
      await stage.signIn(other, email)
      for (const browser of [ann, other]) await expectSignedIn(browser, email)
      expect(await remove()).to.nested.include({ ok: true, 'report.reason': 'test' })
      for (const browser of [ann, other]) await expectNobody(browser)
      expect(stage.events.filter(([event]) => event === 'sessionEnded').map(([, { reason }]) => reason)).to.include(
        'deleteUser',
      )
      expect(target(await stage.signIn(stage.browser(), email))).to.include('error=CredentialsSignin')
    })

    it('DL-06 is not signed in by a sign-in under way', async () => {
      const late = stage.browser()
      meanwhile = async () => {
        meanwhile = async () => {}
        await remove()
      }
      expect(target(await stage.signIn(late, email))).to.include('error=')
      await expectNobody(late)
      expect(await adapter.getUserByEmail(email)).to.equal(null)
    })

    it('DL-06 is not signed in by a sign-in that begins halfway', async () => {
      const late = stage.browser()
      let answer = ''
      halfway = async () => {
        answer = target(await stage.signIn(late, email))
      }
      await remove()
      expect(answer).to.include('error=AccessDenied')
      await expectNobody(late)
    })

    it('DL-06 does not get a new password by a link that was sent before', async () => {
      await ann.submit('/auth/password/forgot', { email })
      const link = await stage.link(email, 'reset-password')
      await remove()
      const late = stage.browser()
      await late.get(link)
      expect((await late.get('/auth/password/reset')).status).to.equal(403)
      await late.submit('/auth/password/reset', { password: better })
      await expectNobody(late)
      expect(await adapter.getUserByEmail(email)).to.equal(null)
    })

    it('DL-14 has no password, old or new, after a change of the password that was under way', async () => {
      beforeWrite = remove
      await ann.submit('/auth/password/change', { current: good, password: better })
      await expectNobody(ann)
      expect(await adapter.getUserByEmail(email)).to.equal(null)
      expect(await passwordsIn(adapter.store()).find(id)).to.equal(null)
    })

    it('DL-05 may sign up again, as another user without the old password', async () => {
      await remove()
      const again = stage.browser()
      await stage.register(again, email, better)
      await expectSignedIn(again, email)
      const next = await adapter.getUserByEmail(email)
      expect(next?.id).to.be.a('string').and.not.equal(id)
      await expectNobody(ann)
      expect(target(await stage.signIn(stage.browser(), email, good))).to.include('error=')
    })
  })
}
