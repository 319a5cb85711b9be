/** Signing out with Glewlwyd, an OpenID provider that shares no code with any other of the tests. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../../lib/adapters/memory/index.js'
import type { ProviderLogoutOptions } from '../../../lib/types/provider.js'
import type { Door } from '../../support/doors.js'
import { inTurn } from '../../support/extent.js'
import { type GlewlwydProvider, type Jar, missingGlewlwyd, person, startGlewlwyd } from '../../support/glewlwyd.js'
import type { Browser } from '../../support/http-browser.js'
import { skip } from '../../support/skip.js'
import { base, doors, locationOf, pathOf } from './logout-stage.js'

const strategies = {
  jwt: () => ({ session: { revocation: memoryStore() } }),
  database: () => ({ adapter: memoryAdapter() }),
}

describe('Glewlwyd', () => {
  let provider: GlewlwydProvider
  before(async function () {
    const missing = missingGlewlwyd()
    if (missing !== undefined) skip(this, missing)
    provider = await startGlewlwyd()
  })
  after(() => provider?.close())

  let clients = 0
  let door: Door
  const failures: string[] = []
  afterEach(() => door.close())

  /** Starts an application, registered at the provider. */
  async function start(open: typeof doors.express, config: object, logout: ProviderLogoutOptions): Promise<void> {
    const client = { clientId: `app-${++clients}`, clientSecret: 'a-client-secret-of-more-than-32-characters' }
    failures.length = 0
    door = await open({
      ...config,
      providers: [
        {
          id: 'test',
          name: 'Glewlwyd',
          type: 'oidc',
          issuer: provider.issuer,
          ...client,
          logout,
          authorization: { params: { scope: 'openid' } },
        },
      ],
      events: { failure: ({ error }) => void failures.push(error.message) },
    })
    const at = door.origin + base
    await provider.register({
      ...client,
      redirectUri: `${at}/callback/test`,
      postLogoutUri: `${at}/signout/test`,
      ...(logout.backchannel && { backchannelUri: `${at}/backchannel-logout/test` }),
      ...(logout.frontchannel && { frontchannelUri: `${at}/frontchannel-logout/test` }),
    })
  }

  /** Signs in. Users with the same cookies at the provider have the same session there. */
  async function signIn(jar: Jar = new Map()): Promise<Browser> {
    const visitor = door.browser()
    const { href } = locationOf(await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } }))
    const end = await visitor.ask(pathOf(await provider.signIn(href, jar)))
    expect(end.headers.location, JSON.stringify([end, failures])).to.equal(`${door.origin}/`)
    return visitor
  }
  const sessionOf = async (visitor: Browser) => (await visitor.ask(`${base}/session`)).body
  const leave = async (visitor: Browser) => {
    const form = { csrfToken: true, federated: 'true', callbackUrl: '/bye' } as const
    return locationOf(await visitor.ask(`${base}/signout`, { form }))
  }
  const ended = async (visitor: Browser) => {
    for (let tries = 0; tries < 100 && (await sessionOf(visitor)) !== null; tries++)
      await new Promise((resolve) => setTimeout(resolve, 30))
    return (await sessionOf(visitor)) === null
  }

  for (const [turn, [name, open]] of Object.entries(doors).entries()) {
    for (const [strategy, config] of inTurn(Object.entries(strategies), turn)) {
      describe(`${name}, ${strategy} sessions`, () => {
        it('signs in, signs out there as well, and returns to its page', async () => {
          await start(open, config(), {})
          const jar: Jar = new Map()
          const visitor = await signIn(jar)
          expect((await sessionOf(visitor)).user).to.include({ name: person.name, email: person.email })
          const url = await leave(visitor)
          expect(url.origin + url.pathname).to.equal(`${provider.issuer}/end_session`)
          expect(await sessionOf(visitor)).to.equal(null)
          const { next = '', frames } = await provider.signOut(url.href, jar)
          expect(frames).to.deep.equal([])
          expect(new URL(next).searchParams.get('state')).to.equal(url.searchParams.get('state'))
          const back = await visitor.ask(pathOf(next))
          expect(back.headers.location).to.equal(`${door.origin}/bye`)
        })

        it('back-channel: the other session of the same sign-in ends, another user’s device continues', async () => {
          await start(open, config(), { backchannel: true })
          const jar: Jar = new Map()
          const [visitor, second, elsewhere] = [await signIn(jar), await signIn(jar), await signIn()]
          await provider.signOut((await leave(visitor)).href, jar)
          expect(await ended(second), JSON.stringify(failures)).to.equal(true)
          expect(await sessionOf(elsewhere)).to.be.an('object')
          expect(failures).to.deep.equal([])
          // It writes its log after it has our answer.
          const line = `Send backchannel_logout successfully for client app-${clients}`
          for (let tries = 0; tries < 100 && !provider.log().includes(line); tries += 1) await pause(20)
          expect(provider.log()).to.include(line)
        })

        it('front-channel: the frame ends it, without a cookie', async () => {
          await start(open, config(), { frontchannel: true })
          const jar: Jar = new Map()
          const [visitor, second, elsewhere] = [await signIn(jar), await signIn(jar), await signIn()]
          const { frames } = await provider.signOut((await leave(visitor)).href, jar)
          expect(frames).to.have.length(1)
          expect(await sessionOf(second)).to.be.an('object')
          const frame = await door.browser().ask(pathOf(frames[0] ?? ''))
          expect(frame.status).to.equal(200)
          expect(frame.headers['content-security-policy']).to.include(`frame-ancestors ${provider.origin}`)
          expect(await sessionOf(second)).to.equal(null)
          expect(await sessionOf(elsewhere)).to.be.an('object')
        })
      })
    }
  }
})
