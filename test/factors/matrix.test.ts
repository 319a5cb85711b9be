/** Each first factor with each second one, at both doors and with both strategies. */
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { EmailCode, PasskeyFactor, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import Passkey from '../../lib/providers/passkey.js'
import type { OAuthConfig, OIDCConfig, VerificationRequest } from '../../lib/types/provider.js'
import { credentials } from '../support/app.js'
import { Authenticator, pageOrigin } from '../support/authenticator.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import {
  base,
  doors,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  whereTo,
} from './stage.js'

const firsts = ['credentials', 'email', 'oauth', 'oidc', 'passkey', 'startSession'] as const
const seconds = ['totp', 'recovery', 'email', 'passkey'] as const
type First = (typeof firsts)[number]
type Second = (typeof seconds)[number]

/** Checks whether both factors are the same mailbox or the same key, which is one factor. */
const isRefused = (first: First, second: Second) => first === second
const addressOf = (first: First | 'verified', second: Second) => `${first}-${second}@example.com`

describe('each first factor with each second', () => {
  let there: OpenIdProvider
  let plain: HostileProvider
  before(async () => {
    plain = await startHostileProvider()
    there = await startOpenIdProvider({
      accounts: seconds.map((second) => {
        const email = addressOf('oidc', second)
        return { login: email, sub: email, name: email, email, email_verified: true }
      }),
    })
    plain.routes.set('/plain-token', () => ({ body: { access_token: 'plain', token_type: 'bearer' } }))
  })
  after(() => Promise.all([plain.close(), there.close()]))

  for (const [door, open] of Object.entries(doors)) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy}`, () => {
        let stage: FactorStage
        let adapter: MemoryAdapter
        const mails: VerificationRequest[] = []
        before(async () => {
          adapter = memoryAdapter()
          const oidc: OIDCConfig = { type: 'oidc', id: 'oidc', name: 'OIDC', ...there.settings() }
          const oauth: OAuthConfig = {
            type: 'oauth',
            id: 'oauth',
            name: 'OAuth',
            clientId: 'plain',
            clientSecret: 'plain-secret-of-at-least-32-characters',
            authorization: `${plain.origin}/authorize`,
            token: `${plain.origin}/plain-token`,
            userinfo: `${plain.origin}/userinfo`,
            profile: ({ sub }) => ({ id: String(sub), name: String(sub) }),
          }
          stage = await openFactorStage(open, {
            adapter,
            session: { strategy },
            rateLimit: false,
            experimental: { enableWebAuthn: true },
            providers: [
              credentials({ authorize: ({ username }) => adapter.getUserByEmail(String(username)) }),
              mailProvider(mails),
              oauth,
              oidc,
              Passkey({
                relyingParty: { id: 'localhost', name: 'Test', origin: pageOrigin },
                authenticationOptions: { userVerification: 'preferred' },
                registrationOptions: { authenticatorSelection: { userVerification: 'preferred' } },
              }),
            ],
            factors: [Totp(), EmailCode(), RecoveryCodes(), PasskeyFactor()],
          })
        })
        after(() => stage.close())
        beforeEach(stopClock)
        afterEach(restoreClock)

        const json = { headers: { accept: 'application/json' } }
        async function newPasskey(person: Person, key: Authenticator): Promise<void> {
          const { options } = (await person.ask(`${base}/webauthn-options/passkey?action=register`)).body
          const form = { csrfToken: true, action: 'register', data: JSON.stringify(key.create(options)) } as const
          const answer = await person.ask(`${base}/callback/passkey`, { form })
          expect(whereTo(answer)).to.not.match(/error=/)
        }

        /** Creates a user with all that the method needs. */
        async function member(first: First | 'verified', second: Second, key: Authenticator): Promise<Person> {
          const email = addressOf(first, second)
          const person = visitor()
          const { id } = await adapter.createUser({ id: '', email, emailVerified: new Date() })
          person.userId = id
          for (const type of ['oauth', 'oidc'] as const) {
            await adapter.linkAccount({ userId: id, type, provider: type, providerAccountId: email })
          }
          await person.ask(`/own-sign-in?user=${id}`)
          if (first === 'passkey' || first === 'verified' || second === 'passkey') await newPasskey(person, key)
          expect((await person.addApp()).status).to.equal(200)
          if (second === 'email') {
            const before = person.mailCount
            await person.answer('email', { intent: 'setup-send' })
            const { token = '' } = await person.mail(before)
            expect(whereTo(await person.answer('email', { intent: 'setup', code: token }))).to.not.match(/error=/)
          }
          if (second === 'passkey') {
            const { options } = (await person.ask(`${base}/two-factor/passkey?setup`, json)).body
            const data = JSON.stringify(key.get(options))
            const added = await person.answer('passkey', { intent: 'setup', action: 'authenticate', data })
            expect(whereTo(added)).to.not.match(/error=/)
          }
          advanceClock(30)
          return person
        }

        function visitor(): Person {
          const person = stage.stranger()
          person.mailbox = mails
          return person
        }

        async function prove(
          first: First | 'verified',
          second: Second,
          person: Person,
          key: Authenticator,
        ): Promise<void> {
          const email = addressOf(first, second)
          const begin = async (id: string) =>
            (await person.ask(`${base}/signin/${id}`, { form: { csrfToken: true } })).headers.location ?? ''
          const back = (url: string) => person.ask(new URL(url).pathname + new URL(url).search)
          switch (first) {
            case 'credentials':
              await person.ask(`${base}/callback/credentials`, {
                form: { csrfToken: true, username: email, password: 'right' },
              })
              return
            case 'email':
              await person.followLink(email)
              return
            case 'oauth':
              plain.person = { sub: email }
              await back(plain.authorize(await begin('oauth')))
              return
            case 'oidc':
              await back(await there.signInAs(await begin('oidc'), email))
              return
            case 'startSession':
              await person.ask(`/own-sign-in?user=${person.userId}`)
              return
            default: {
              const { options } = (await person.ask(`${base}/webauthn-options/passkey?action=authenticate`)).body
              const data = JSON.stringify(key.get(options))
              await person.ask(`${base}/callback/passkey`, { form: { csrfToken: true, action: 'authenticate', data } })
            }
          }
        }

        async function answerOf(second: Second, person: Person, key: Authenticator): Promise<Record<string, string>> {
          if (second === 'totp') return { code: person.code() }
          if (second === 'recovery') return { code: person.codes[0] ?? '' }
          if (second === 'email') {
            const before = person.mailCount
            expect(whereTo(await person.answer('email', { intent: 'send' }))).to.match(/sent=1/)
            return { code: (await person.mail(before)).token }
          }
          const { options } = (await person.ask(`${base}/two-factor/passkey`, json)).body
          return { action: 'authenticate', data: JSON.stringify(key.get(options)) }
        }

        for (const first of firsts) {
          for (const second of seconds) {
            it(`MF-02: ${first}, then ${second}${isRefused(first, second) ? ': refused' : ''}`, async () => {
              const key = new Authenticator({ uv: false })
              const ann = await member(first, second, key)
              const person = ann.elsewhere()
              await prove(first, second, person, key)
              expect(await person.session(), 'after the first').to.equal(null)
              expect(
                [...person.cookies.keys()].some((name) => name.endsWith('.pending')),
                'it waits',
              ).to.equal(true)
              if (isRefused(first, second)) {
                const mailed = person.mailCount
                const asked = await person.ask(`${base}/two-factor/${second}`)
                expect(asked.status).to.equal(403)
                const data: Record<string, string> =
                  second === 'passkey' ? { action: 'authenticate', data: '{}' } : { intent: 'send' }
                expect(whereTo(await person.answer(second, data))).to.match(/error=SecondFactorFailed/)
                expect(person.mailCount).to.equal(mailed)
                expect(await person.session()).to.equal(null)
                return
              }
              const signIns = stage.signIns.length
              const answer = await person.answer(second, await answerOf(second, person, key))
              expect(whereTo(answer), answer.text).to.equal('/')
              const session = await person.session()
              expect(session).to.have.nested.property('assurance.aal', 2)
              expect(session).to.have.nested.property('assurance.amr').that.includes('mfa')
              expect(stage.signIns.slice(signIns).map(({ user }) => user.id)).to.deep.equal([ann.userId])
            })
          }
        }

        it('MF-08: a passkey of another user is rejected, in any hands', async () => {
          const [key, other] = [new Authenticator({ uv: false }), new Authenticator({ uv: false })]
          const before = await adapter.getUserByEmail(addressOf('credentials', 'passkey'))
          if (before) await adapter.deleteUser(before.id)
          const ann = await member('credentials', 'passkey', key)
          const mallory = visitor()
          const { id } = await adapter.createUser({ id: '', email: 'm@example.com', emailVerified: new Date() })
          await mallory.ask(`/own-sign-in?user=${id}`)
          await newPasskey(mallory, other)
          const person = ann.elsewhere()
          await prove('credentials', 'passkey', person, key)
          const { options } = (await person.ask(`${base}/two-factor/passkey`, json)).body
          const data = JSON.stringify(other.get({ ...options, allowCredentials: [] }))
          expect(whereTo(await person.answer('passkey', { action: 'authenticate', data }))).to.match(
            /error=InvalidCode/,
          )
          expect(await person.session()).to.equal(null)
          await adapter.deleteUser(id)
        })

        it('MF-02: a passkey with a PIN or a finger is two factors', async () => {
          const key = new Authenticator({ uv: true })
          const ann = await member('verified', 'totp', key)
          const person = ann.elsewhere()
          await prove('verified', 'totp', person, key)
          expect(await person.session()).to.have.nested.property('assurance.aal', 2)
        })
      })
    }
  }
})
