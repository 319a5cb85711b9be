/** Signing out with LemonLDAP::NG, an OpenID provider that shares no code with any other of the tests. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../../lib/adapters/memory/index.js'
import type { Door } from '../../support/doors.js'
import { freePort } from '../../support/free-ports.js'
import type { Browser } from '../../support/http-browser.js'
import { type Jar, type LemonldapProvider, missingLemonldap, person, startLemonldap } from '../../support/lemonldap.js'
import { skip } from '../../support/skip.js'
import { base, doors, locationOf, pathOf } from './logout-stage.js'

const strategies = {
  jwt: () => ({ session: { revocation: memoryStore() } }),
  database: () => ({ adapter: memoryAdapter() }),
}

describe('LemonLDAP::NG', () => {
  const apps = new Map<string, Door>()
  let provider: LemonldapProvider
  before(async function () {
    const missing = missingLemonldap()
    if (missing !== undefined) skip(this, missing)
    const port = await freePort()
    const clients = []
    for (const [name, open] of Object.entries(doors)) {
      for (const [strategy, config] of Object.entries(strategies)) {
        const clientId = `${name}-${strategy}`
        const client = { clientId, clientSecret: 'a-client-secret-of-more-than-32-characters' }
        const logout = { frontchannel: true }
        const issuer = `http://localhost:${port}`
        const own = { id: 'test', name: 'LemonLDAP::NG', type: 'oidc' as const, issuer, ...client, logout }
        const door = await open({ ...config(), providers: [own] })
        apps.set(clientId, door)
        const at = door.origin + base
        clients.push({
          ...client,
          redirectUri: `${at}/callback/test`,
          postLogoutUri: `${at}/signout/test`,
          frontchannelUri: `${at}/frontchannel-logout/test`,
        })
      }
    }
    provider = await startLemonldap(port, clients)
  })
  after(() => Promise.all([provider?.close(), ...[...apps.values()].map((door) => door.close())]))

  for (const name of Object.keys(doors)) {
    for (const strategy of Object.keys(strategies)) {
      describe(`${name}, ${strategy} sessions`, () => {
        let door: Door
        let jar: Jar
        beforeEach(() => {
          const app = apps.get(`${name}-${strategy}`)
          if (!app) throw new Error('no application')
          door = app
          jar = new Map()
        })
        async function signIn(): Promise<Browser> {
          const visitor = door.browser()
          const { href } = locationOf(await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } }))
          const end = await visitor.ask(pathOf(await provider.signIn(href, jar)))
          expect(end.headers.location, door.log.errors.join()).to.equal(`${door.origin}/`)
          return visitor
        }
        const sessionOf = async (visitor: Browser) => (await visitor.ask(`${base}/session`)).body
        const leave = async (visitor: Browser) => {
          const form = { csrfToken: true, federated: 'true', callbackUrl: '/bye' } as const
          return locationOf(await visitor.ask(`${base}/signout`, { form }))
        }

        it('signs in, signs out there as well, and returns to its page', async () => {
          const visitor = await signIn()
          expect((await sessionOf(visitor)).user).to.include({ name: person.name, email: person.email })
          const url = await leave(visitor)
          expect(url.origin + url.pathname).to.equal(`${provider.origin}/oauth2/logout`)
          expect(await sessionOf(visitor)).to.equal(null)
          const { next = '' } = await provider.signOut(url.href, jar)
          expect(new URL(next).searchParams.get('state')).to.equal(url.searchParams.get('state'))
          const back = await visitor.ask(pathOf(next))
          expect(back.headers.location).to.equal(`${door.origin}/bye`)
        })

        // Up to 2.16 its `sid` is the user's login, and its id_tokens have none.
        it('front-channel: its frame ends a session that it names, and none if it names the user instead', async () => {
          const [visitor, second] = [await signIn(), await signIn()]
          const { frames } = await provider.signOut((await leave(visitor)).href, jar)
          expect(frames).to.have.length(1)
          const named = new URL(frames[0] ?? '').searchParams
          expect(named.get('iss')).to.equal(provider.origin)
          const namesNoSession = named.get('sid') === person.username
          const frame = await door.browser().ask(pathOf(frames[0] ?? ''))
          expect(frame.status).to.equal(200)
          expect(frame.headers['content-security-policy']).to.include(`frame-ancestors ${provider.origin}`)
          expect((await sessionOf(second)) !== null).to.equal(namesNoSession)
        })
      })
    }
  }
})
