/** Cookies that a sibling subdomain plants: second cookies of our names, genuine ones of its own too. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import { startHostileProvider } from '../support/hostile-provider.js'
import { type Answer, Browser, type Question } from '../support/http-browser.js'
import { opened } from '../support/opened.js'

const session = '__Secure-auth.session-token'
const browserCookie = '__Host-auth.browser'
const https = { 'x-forwarded-proto': 'https' }
const read = '/api/auth/session'

const doors = {
  Express: (config: Partial<FullStackAuthConfig>) => openExpress(config, { trustProxy: true }),
  shim: (config: Partial<FullStackAuthConfig>) => openShim({ ...config, trustHost: true }),
}

/** A browser with repeated cookies, before or behind its own. */
class Tossed extends Browser {
  readonly planted: string[] = []
  isFirst = true

  override async ask(target: string, asked: Question = {}): Promise<Answer> {
    // Before the header is made: the token's cookie is among them.
    const form = asked.form?.csrfToken === true && { form: { ...asked.form, csrfToken: await this.csrf() } }
    const question: Question = { ...asked, ...form }
    const own = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    const all = this.isFirst ? [...this.planted, ...own] : [...own, ...this.planted]
    return super.ask(target, {
      ...question,
      headers: { ...(all.length > 0 && { cookie: all.join('; ') }), ...question.headers },
    })
  }
}

for (const [name, openDoor] of Object.entries(doors)) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`planted cookies with ${strategy} sessions (${name})`, () => {
      let door: Door
      let adapter: ReturnType<typeof memoryAdapter>
      const provider = opened(() => startHostileProvider())
      beforeEach(async () => {
        provider.reset()
        adapter = memoryAdapter()
        door = await openDoor({
          adapter,
          session: { strategy, updateAge: 0 },
          providers: [{ type: 'oidc', id: 'op', name: 'op', ...provider.settings }],
          callbacks: { session: ({ session: shown }) => shown },
        })
      })
      afterEach(() => door.close())

      const begin = async (visitor: Browser) => {
        const { headers } = await visitor.ask('/api/auth/signin/op', { form: { csrfToken: true } })
        return String(headers.location)
      }
      const finish = (visitor: Browser, url: string, sub: string) => {
        provider.onToken = (body) => provider.tokens(body, { sub, name: sub, email: `${sub}@example.com` })
        const { pathname, search } = new URL(provider.authorize(url))
        return visitor.ask(pathname + search)
      }
      const enter = async (sub: string, visitor = new Tossed(door.origin, { headers: https, base: '/api/auth' })) => {
        await finish(visitor, await begin(visitor), sub)
        expect((await visitor.ask(read)).text).to.include(`"name":"${sub}"`)
        return visitor
      }
      const pairOf = (visitor: Browser, cookie = session) => `${cookie}=${visitor.cookies.get(cookie)}`
      const linesOf = ({ cookies }: Answer) => cookies.filter((line) => line.startsWith(session))
      const accountsOf = async (sub: string) => {
        const user = await adapter.getUserByAccount({ provider: 'op', providerAccountId: sub })
        return (await adapter.listAccountsByUserId(user?.id ?? '')).map(({ providerAccountId }) => providerAccountId)
      }

      for (const isFirst of [true, false]) {
        const where = isFirst ? 'before' : 'behind'

        it(`CK-04 that are no sessions do not hide the genuine one (${where} it)`, async () => {
          const ann = await enter('ann')
          ann.isFirst = isFirst
          ann.planted.push(`${session}=garbage`, `${session}.0=${'x'.repeat(3936)}`, `${session}.1=y`)
          const answer = await ann.ask(read)
          expect(answer.text).to.include('ann')
          expect(linesOf(answer).filter((line) => line.startsWith(`${session}=;`))).to.deep.equal([])
        })

        it(`that are genuine sessions of another do not hide the one that began here (${where} it)`, async () => {
          const mallory = await enter('mallory')
          const ann = await enter('ann')
          ann.isFirst = isFirst
          ann.planted.push(pairOf(mallory))
          expect((await ann.ask(read)).text).to.include('ann')
          const url = await begin(ann)
          await finish(ann, url, 'second')
          expect(await accountsOf('ann')).to.have.members(['ann', 'second'])
          expect(await accountsOf('mallory')).to.deep.equal(['mallory'])
        })
      }

      it('of two sessions, of which none is known to have begun here: nothing is linked, nothing written, nothing cleared', async () => {
        const [mallory, ann] = [await enter('mallory'), await enter('ann')]
        ann.planted.push(pairOf(mallory))
        ann.cookies.delete(browserCookie)
        const answer = await ann.ask(read)
        expect([answer.text.includes('mallory'), linesOf(answer)]).to.deep.equal([true, []])
        await finish(ann, await begin(ann), 'second')
        expect(await accountsOf('mallory')).to.deep.equal(['mallory'])
        expect(await accountsOf('ann')).to.deep.equal(['ann'])
        expect(await accountsOf('second')).to.deep.equal(['second'])
      })

      it('are a session to which nothing is linked, though it is the only one: the sign-in continues as if signed out', async () => {
        const mallory = await enter('mallory')
        const victim = new Tossed(door.origin, { headers: https, base: '/api/auth' })
        victim.planted.push(pairOf(mallory))
        expect((await victim.ask(read)).text).to.include('mallory')
        await finish(victim, await begin(victim), 'victim')
        expect(await accountsOf('mallory')).to.deep.equal(['mallory'])
        expect(await accountsOf('victim')).to.deep.equal(['victim'])
      })

      it('do not finish the sign-in of another in this browser', async () => {
        const mallory = new Tossed(door.origin, { headers: https, base: '/api/auth' })
        const url = await begin(mallory)
        const victim = new Tossed(door.origin, { headers: https, base: '/api/auth' })
        await begin(victim)
        victim.planted.push(pairOf(mallory, '__Secure-auth.transaction.0'))
        const { headers } = await finish(victim, url, 'mallory')
        expect(headers.location).to.match(/error=InvalidCheck/)
        expect((await victim.ask(read)).text).to.equal('null')
      })

      it('do not hide the transaction of this browser', async () => {
        const mallory = new Tossed(door.origin, { headers: https, base: '/api/auth' })
        await begin(mallory)
        const ann = new Tossed(door.origin, { headers: https, base: '/api/auth' })
        const url = await begin(ann)
        ann.planted.push(pairOf(mallory, '__Secure-auth.transaction.0'))
        await finish(ann, url, 'ann')
        expect((await ann.ask(read)).text).to.include('ann')
      })

      it('CK-03 that are left over of a longer session are all cleared with the next write, also behind a gap', async () => {
        const ann = await enter('ann')
        ann.cookies.set(`${session}.0`, 'x').set(`${session}.2`, 'x').set(`${session}.7`, 'x')
        const cleared = linesOf(await ann.ask(read)).filter((line) => line.includes('Max-Age=0'))
        expect(cleared.map((line) => line.split('=')[0])).to.have.members([0, 2, 7].map((at) => `${session}.${at}`))
      })
    })
  }
}
