/**
 * A sign-in that is pending for its second factor, and whose account or passkey is removed in the meantime: also where
 * no store has security stamps.
 */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import { createSession } from '../../lib/testing/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { Outcome } from '../../lib/types/outcome.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { quickHasher } from '../password/stage.js'
import { Authenticator, pageOrigin } from '../support/authenticator.js'
import { restoreClock } from '../support/clock.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { passwordsIn } from '../support/stores.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  whereTo,
} from './stage.js'

const password = 'four words in a row'

for (const [door, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    for (const stamps of ['with stamps', 'without stamps']) {
      describe(`pending sign-ins by a method that is removed (${door}, ${strategy}, ${stamps})`, () => {
        let provider: HostileProvider
        let stage: FactorStage
        let adapter: ReturnType<typeof memoryAdapter>
        let ann: Person
        const key = new Authenticator({ uv: false })
        before(async () => {
          provider = await startHostileProvider()
        })
        after(() => provider.close())
        beforeEach(async () => {
          stopClock()
          provider.reset()
          adapter = memoryAdapter()
          const plain = { ...adapter, store: () => ({ ...adapter.store(), log: undefined }) }
          const oidc = { id: 'test', name: 'Test', type: 'oidc', ...provider.settings } as OIDCConfig
          const userVerification = 'preferred'
          const isStamped = stamps === 'with stamps'
          const hash = quickHasher()
          stage = await openFactorStage(open, {
            adapter: (isStamped ? adapter : plain) as Adapter,
            session: strategy === 'jwt' && isStamped ? { strategy, revocation: true } : { strategy },
            experimental: { enableWebAuthn: true },
            rateLimit: false,
            providers: [
              mailProvider([]),
              oidc,
              Password({ hash, mail: mailProvider([]) }),
              Passkey({
                relyingParty: { id: 'localhost', name: 'Test', origin: pageOrigin },
                authenticationOptions: { userVerification },
                registrationOptions: { authenticatorSelection: { userVerification } },
              }),
            ],
            factors: [Totp(), RecoveryCodes()],
          })
          ann = await enrolled({ ...stage, adapter })
          const account = { userId: ann.userId, provider: 'test', providerAccountId: 'own', type: 'oidc' as const }
          await adapter.linkAccount(account)
          const passwords = { userId: ann.userId, hash: await hash.hash(password), changedAt: new Date(0) }
          await passwordsIn(adapter.store()).write(passwords, 0)
          await adapter.linkAccount({
            ...account,
            provider: 'password',
            providerAccountId: ann.userId,
            type: 'credentials',
          })
          await registerPasskey()
        })
        afterEach(async () => {
          restoreClock()
          await stage.close()
        })

        async function registerPasskey() {
          const { options } = (await ann.ask(`${base}/webauthn-options/passkey?action=register`)).body
          const form = { csrfToken: true, action: 'register', data: JSON.stringify(key.create(options)) } as const
          expect(whereTo(await ann.ask(`${base}/callback/passkey`, { form }))).to.not.match(/error=/)
        }

        const ways: Record<string, (person: Person) => Promise<unknown>> = {
          async account(person) {
            provider.person = { sub: 'own' }
            const begun = await person.ask(`${base}/signin/test`, { form: { csrfToken: true } })
            const { pathname, search } = new URL(provider.authorize(begun.headers.location ?? ''))
            await person.ask(pathname + search)
          },
          async passkey(person) {
            const asked = await person.ask(`${base}/webauthn-options/passkey?action=authenticate`)
            const data = JSON.stringify(key.get(asked.body.options))
            await person.ask(`${base}/callback/passkey`, { form: { csrfToken: true, action: 'authenticate', data } })
          },
          async password(person) {
            const form = { csrfToken: true, email: 'ann@example.com', password } as const
            await person.ask(`${base}/callback/password`, { form })
          },
        }

        const removals: Record<string, (request: never) => Promise<Outcome<'unknown' | 'last'>>> = {
          account: (request) =>
            expressFunctions(stage.config).account.unlink(request, { provider: 'test', providerAccountId: 'own' }),
          password: (request) =>
            expressFunctions(stage.config).account.unlink(request, {
              provider: 'password',
              providerAccountId: ann.userId,
            }),
          async passkey(request) {
            const [found] = await adapter.listAuthenticatorsByUserId(ann.userId)
            return expressFunctions(stage.config).account.removePasskey(request, found?.credentialID ?? '')
          },
        }

        /** Returns a browser whose first factor is verified. */
        async function waiting(way: string): Promise<Person> {
          const person = ann.elsewhere()
          await ways[way]?.(person)
          expect(
            [...person.cookies.keys()].some((name) => name.endsWith('.pending')),
            'it waits',
          ).to.equal(true)
          return person
        }

        async function remove(way: string): Promise<void> {
          const url = 'http://localhost'
          const { headers } = await createSession(stage.config, { user: { id: ann.userId }, aal: 2, amr: ['otp'], url })
          const request = { headers: { ...headers, host: 'localhost' }, protocol: 'http' }
          expect(await removals[way]?.(request as never)).to.deep.equal({ ok: true })
        }

        for (const way of Object.keys(ways)) {
          it(`RC-11 MF-21 ends with its ${way}`, async () => {
            const person = await waiting(way)
            await remove(way)
            await person.answer('totp', { code: person.code() })
            expect(await person.session()).to.equal(null)
          })

          it(`a sign-in by the ${way} continues if another method is removed`, async () => {
            const person = await waiting(way)
            await remove(way === 'account' ? 'passkey' : 'account')
            await person.answer('totp', { code: person.code() })
            expect(await person.session()).to.have.nested.property('assurance.aal', 2)
          })
        }
      })
    }
  }
}
