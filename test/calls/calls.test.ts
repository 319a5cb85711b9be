/** `signIn`, `signOut`, `update`: the same at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig, Session } from '../../lib/index.js'
import type { Door } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'
import { type Calls, doors, type Work } from './doors.js'

const ann = { username: 'ann', password: 'right' }

const acme = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth' as const,
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: { url: 'https://op.example/authorize', params: { scope: 'basic' } },
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}

const namesOf = ({ cookies }: Answer) => cookies.map((line) => line.split('=')[0])
const sessionLines = ({ cookies }: Answer) => cookies.filter((line) => line.startsWith(sessionName))

/** Callbacks that take the name of an update. Database sessions have no `jwt` callback. */
const renaming: Readonly<Record<'jwt' | 'database', Partial<ServerAuthConfig>>> = {
  jwt: {
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: (session as Session).user?.name ?? null } : token,
    },
  },
  database: {
    callbacks: {
      session: ({ session, newSession, trigger }) =>
        trigger === 'update' && newSession ? { ...session, ...(newSession as object) } : session,
    },
  },
}

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`calls of the application's own code at ${name}, with ${strategy} sessions`, () => {
      const renames = renaming[strategy]
      const running: Door[] = []
      afterEach(async () => {
        await Promise.all(running.splice(0).map((door) => door.close()))
      })

      async function start(work: Work, config: Partial<ServerAuthConfig> = {}): Promise<Door> {
        const stored = strategy === 'database' ? { adapter: memoryAdapter() } : {}
        const door = await open({ ...stored, session: { strategy }, ...config }, work)
        running.push(door)
        return door
      }

      /** Posts to the application's code as its own page does. */
      const post = (door: Door, visitor: Browser, headers: Record<string, string> = {}) =>
        visitor.ask('/do', { method: 'POST', headers: { origin: door.origin, ...headers } })

      const run = async (work: Work, config?: Partial<ServerAuthConfig>, headers?: Record<string, string>) => {
        const door = await start(work, config)
        const visitor = door.browser()
        return { door, visitor, answer: await post(door, visitor, headers) }
      }

      const whoIs = async (calls: Calls) => (await calls.session())?.user?.name ?? null

      it('signs in with credentials, and redirects the user', async () => {
        const { door, visitor, answer } = await run((calls) =>
          calls.signIn('credentials', { ...ann, redirectTo: '/there' }),
        )
        expect([answer.status, answer.headers.location]).to.deep.equal([303, `${door.origin}/there`])
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(namesOf(answer)).to.include.members([sessionName, 'auth.browser', 'auth.csrf-token'])
        expect((await visitor.ask('/api/auth/session')).body.user.name).to.equal('ann')
      })

      it('changes the session that later reads of the same request see', async () => {
        const { answer } = await run(async (calls) => {
          const names = [await whoIs(calls)]
          await calls.signIn('credentials', { ...ann, redirect: false })
          names.push(await whoIs(calls))
          await calls.signIn('credentials', { ...ann, username: 'bob', redirect: false })
          names.push(await whoIs(calls))
          await calls.signOut({ redirect: false })
          return [...names, await whoIs(calls)]
        })
        expect(answer.body).to.deep.equal([null, 'ann', 'bob', null])
        // One line for a cookie (RFC 6265 §4.1.1): that of the last call.
        expect(sessionLines(answer)).to.have.length(1)
        expect(sessionLines(answer)[0]).to.include('Max-Age=0')
        expect(new Set(namesOf(answer)).size).to.equal(answer.cookies.length)
      })

      it('returns the URL with redirect: false', async () => {
        const { door, answer } = await run((calls) => calls.signIn('credentials', { ...ann, redirect: false }))
        expect([answer.status, answer.body]).to.deep.equal([200, `${door.origin}/`])
      })

      it('goes to the sign-in page without a known provider', async () => {
        const { door, answer } = await run((calls) => calls.signIn('nobody', { redirectTo: '/there' }))
        expect(answer.headers.location).to.equal(`${door.origin}/api/auth/signin?callbackUrl=%2Fthere`)
      })

      it('warns once of an id that no provider has, and prints only what looks like an id', async () => {
        const logs: string[] = []
        const logger = { warn: (_code: string, message?: string) => void logs.push(String(message)) }
        await run((calls) => calls.signIn('gogle'), { logger })
        await run((calls) => calls.signIn('gogle'), { logger })
        const known = logs.filter((message) => message.includes('signIn()'))
        expect(known).to.deep.equal([
          'signIn() got "gogle", which is no provider of the configuration ("credentials"). It shows the sign-in page instead.',
        ])
        clearSiteMemories()
        await run((calls) => calls.signIn('ann@example.com'), { logger })
        await run((calls) => calls.signIn(), { logger })
        expect(logs.join()).not.to.include('ann@')
      })

      it('goes to a provider, with parameters except those of the protocol', async () => {
        const { door, answer } = await run(
          (calls) =>
            calls.signIn('acme', { redirect: false }, { login_hint: 'ann', redirect_uri: 'https://evil.test' }),
          { providers: [acme] },
        )
        const url = new URL(answer.body)
        expect(url.origin + url.pathname).to.equal('https://op.example/authorize')
        expect(url.searchParams.get('login_hint')).to.equal('ann')
        expect(url.searchParams.get('redirect_uri')).to.equal(`${door.origin}/api/auth/callback/acme`)
      })

      it('answers a form that leads off the site with a page that continues without a click', async () => {
        const work: Work = (calls) => calls.signIn('acme')
        const form = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
        const { answer } = await run(work, { providers: [acme] }, form)
        expect(answer.status).to.equal(200)
        expect(answer.headers.refresh).to.match(/^0;url=https:\/\/op\.example\/authorize\?/)
        expect(answer.headers['content-security-policy']).to.include("form-action 'none'")
      })

      it('returns to the page of the form', async () => {
        const door = await start((calls) => calls.signIn('credentials', ann))
        const answer = await post(door, door.browser(), { referer: `${door.origin}/profile?tab=1` })
        expect(answer.headers.location).to.equal(`${door.origin}/profile?tab=1`)
      })

      it('throws typed errors, and sets no cookie', async () => {
        const wrong = await run((calls) => calls.signIn('credentials', { ...ann, password: 'wrong' }))
        expect([wrong.answer.status, wrong.answer.body.type]).to.deep.equal([500, 'CredentialsSignin'])
        expect(wrong.answer.cookies).to.deep.equal([])
        const refused = await run((calls) => calls.signIn('credentials', ann), {
          callbacks: { signIn: () => false },
        })
        expect(refused.answer.body.type).to.equal('AccessDenied')
        expect(refused.answer.cookies).to.deep.equal([])
      })

      it('signs out, and redirects the user', async () => {
        const ended: unknown[] = []
        const door = await start((calls) => calls.signOut({ redirectTo: '/bye' }), {
          events: { signOut: (message) => void ended.push(message) },
        })
        const visitor = door.browser()
        await visitor.signIn()
        const copy = new Map(visitor.cookies)
        const answer = await post(door, visitor)
        expect([answer.status, answer.headers.location]).to.deep.equal([303, `${door.origin}/bye`])
        expect(sessionLines(answer)[0]).to.include('Max-Age=0')
        // Back shows no page of before (CA-07).
        expect(answer.headers['clear-site-data']).to.equal('"cache"')
        expect(ended).to.have.length(1)
        if (strategy === 'jwt') return
        const thief = door.browser()
        for (const [cookie, value] of copy) thief.cookies.set(cookie, value)
        expect((await thief.ask('/api/auth/session')).text).to.equal('null')
      })

      it('changes the session, and returns its new state', async () => {
        const door = await start(async (calls) => {
          const updated = await calls.update({ user: { name: 'Ann II' } })
          const after = strategy === 'jwt' ? await whoIs(calls) : updated?.user?.name
          return [updated?.user?.name, after]
        }, renames)
        const visitor = door.browser()
        await visitor.signIn()
        expect((await post(door, visitor)).body).to.deep.equal(['Ann II', 'Ann II'])
        if (strategy === 'database') return
        expect((await visitor.ask('/api/auth/session')).body.user.name).to.equal('Ann II')
      })

      it('changes nothing for a visitor', async () => {
        const { answer } = await run((calls) => calls.update({}), renames)
        expect([answer.text, sessionLines(answer)]).to.deep.equal(['null', []])
      })

      describe('attacks', () => {
        it('RD-01 redirects to no other site (open redirect)', async () => {
          for (const redirectTo of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
            const { door, answer } = await run((calls) => calls.signIn('credentials', { ...ann, redirectTo }))
            expect(new URL(answer.headers.location ?? '').origin, redirectTo).to.equal(door.origin)
            const out = await run((calls) => calls.signOut({ redirectTo }))
            expect(new URL(out.answer.headers.location ?? '').origin, redirectTo).to.equal(out.door.origin)
          }
        })

        it('CS-06 does not sign in or out by another site’s form or link', async () => {
          const work: Work = async (calls) => {
            const types: unknown[] = []
            for (const call of [() => calls.signIn('credentials', ann), () => calls.signOut()]) {
              await call().catch((error: unknown) => types.push((error as { type?: string }).type))
            }
            return types
          }
          const foreign: Array<Record<string, string>> = [
            { 'sec-fetch-site': 'cross-site' },
            { origin: 'https://evil.test' },
          ]
          for (const headers of foreign) {
            const door = await start(work)
            const visitor = door.browser()
            await visitor.signIn()
            const method = 'origin' in headers ? 'POST' : 'GET'
            const answer = await visitor.ask('/do', { method, headers })
            expect(answer.body).to.deep.equal(['MissingCSRF', 'MissingCSRF'])
            expect(await visitor.ask('/api/auth/session'))
              .to.have.property('text')
              .that.includes('ann')
          }
        })

        it('SX-01 gives the session another name at sign-in (fixation)', async () => {
          const door = await start((calls) => calls.signIn('credentials', { ...ann, redirect: false }))
          const visitor = door.browser()
          await visitor.signIn({ username: 'bob' })
          const planted = visitor.cookies.get(sessionName)
          await post(door, visitor)
          expect(visitor.cookies.get(sessionName)).to.not.equal(planted)
          const attacker = door.browser()
          attacker.cookies.set(sessionName, planted ?? '')
          const { text: body } = await attacker.ask('/api/auth/session')
          expect(body).to.not.include('ann')
        })
      })
    })
  }
}
