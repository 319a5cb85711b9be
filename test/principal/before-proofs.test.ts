/**
 * Sessions that the version before lists of proofs has written: its own, and those that it took over from another library, which it said to have
 * begun when it took them over.
 */
import { expect } from 'chai'
import { sha256Hex } from '../../lib/crypto/hash.js'
import { encode } from '../../lib/jwt.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
} from '../factors/stage.js'
import { advanceClock, restoreClock, seconds } from '../support/clock.js'

const cookie = 'auth.session-token'
const sid = 'a'.repeat(22)

/** The facts of a session, as the version before wrote them. */
interface Before {
  readonly at: number
  /** Absent in tokens that were taken over, and empty in rows. */
  readonly amr?: readonly string[]
  readonly provider?: string
  readonly aal?: 2
}

/** Fields of a row's token, as the version before wrote them. */
function textOf({ at, amr = [], provider = '', aal }: Before): string {
  const fields = [at.toString(36), amr.join(' '), '', '', provider, '', '', aal ?? '']
  return Buffer.from(fields.join('\n').trimEnd()).toString('base64url')
}

for (const [door, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`sessions of the version before (${door}, ${strategy})`, () => {
      let stage: FactorStage
      beforeEach(stopClock)
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      const start = async (session: Partial<FullStackAuthConfig['session']> = {}) => {
        stage = await openFactorStage(open, {
          session: { strategy, ...session },
          callbacks: { session: ({ session: shown, authentication }) => ({ ...shown, authentication }) },
        })
      }

      /** Puts such a session into a browser. */
      async function plant(person: Person, userId: string, before: Before): Promise<void> {
        const { at, amr, aal } = before
        if (strategy === 'jwt') {
          const owner = amr && { auth_owner: { id: userId, type: 'oidc' } }
          const facts = { auth_time: at, ...(amr && { amr }), ...(aal && { auth_aal: aal }), ...owner }
          const token = { sub: userId, name: 'Ann', sid, ...facts }
          person.cookies.set(cookie, await encode({ token, secret: String(stage.config.secret), salt: cookie }))
          return
        }
        const token = `a-random-token-of-the-version-before.f${textOf(before)}`
        const sessionToken = `h1_${sha256Hex(token)}.f${textOf(before)}`
        await stage.adapter.createSession({ sessionToken, userId, expires: new Date(Date.now() + 86_400_000) })
        person.cookies.set(cookie, token)
      }

      const factsOf = async (person: Person) => (await person.session())?.authentication

      it('MF-10 keep what they say of their own sign-in', async () => {
        await start()
        const { id } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
        const ann = stage.stranger()
        await plant(ann, id, { at: seconds() - 60, amr: ['pwd'], provider: 'credentials' })
        const facts = { auth_time: seconds() - 60, amr: ['pwd'], aal: 1 }
        expect(await factsOf(ann)).to.deep.equal(facts)
        expect(await factsOf(ann)).to.deep.equal(facts)
      })

      it('MF-10 which were taken over say nothing of when the user was authenticated', async () => {
        await start()
        const { id } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
        const ann = stage.stranger()
        await plant(ann, id, { at: seconds() - 60 })
        expect(await factsOf(ann)).to.deep.equal({ aal: 1 })
        expect((await ann.ask('/guarded-fresh')).status).to.not.equal(200)
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        expect(page.text).to.not.match(/otpauth/)
      })

      it('SE-04 count `absoluteMaxAge` from the sign-in, whatever is proved later', async () => {
        await start({ absoluteMaxAge: 3600 })
        const ann = await enrolled(stage)
        await plant(ann, ann.userId, { at: seconds() - 3000, amr: ['pwd'], provider: 'credentials' })
        expect(await ann.session()).to.not.equal(null)
        advanceClock(500)
        await ann.answer('totp', { code: ann.code() })
        expect(await ann.session()).to.not.equal(null)
        advanceClock(101)
        expect(await ann.session()).to.equal(null)
      })

      it('SE-04 a current session: several step-ups do not restart it', async () => {
        await start({ absoluteMaxAge: 3600 })
        const ann = await enrolled(stage)
        for (const wait of [1200, 1200, 1100]) {
          advanceClock(wait)
          await ann.answer('totp', { code: ann.code() })
          expect(await ann.session(), String(wait)).to.not.equal(null)
        }
        advanceClock(101)
        expect(await ann.session()).to.equal(null)
      })
    })
  }
}
