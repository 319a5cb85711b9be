/** Requests of two users, of two tenants, through one process at once: no user sees data of another. */
import { expect } from 'chai'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { credentials } from '../support/app.js'
import { sessionName } from '../support/session.js'
import { configure, cookieOf } from './stage.js'

const people = ['ann', 'bob']
const tenants = ['red', 'blue']

/** Lets others run, for a while that is different each time. */
async function yieldTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function tenant(name: string): FullStackAuthConfig {
  return configure({
    session: { updateAge: 0 },
    providers: [credentials({ name })],
    callbacks: {
      async jwt({ token }) {
        await yieldTurns(token.sub?.length ?? 0)
        return token
      },
      async session({ session }) {
        await yieldTurns(1)
        return { ...session, tenant: name }
      },
    },
  })
}

describe('1,000 requests at once', function () {
  this.timeout(60_000)

  const configs: Record<string, FullStackAuthConfig> = Object.fromEntries(tenants.map((name) => [name, tenant(name)]))
  const { auth, handlers, signIn, signOut } = initAuth(async (request) => {
    await yieldTurns(Math.floor(Math.random() * 3))
    return configs[new URL(request?.url ?? '').hostname.split('.')[0] ?? ''] ?? expect.fail('no such tenant')
  })
  const show = (session: unknown) => {
    const { user, tenant: of } = (session ?? {}) as { user?: { name?: string }; tenant?: string }
    return `${user?.name ?? 'nobody'} of ${of ?? 'nothing'}`
  }
  const wrapped = auth(async (request) => {
    await yieldTurns(2)
    return new Response(show(request.auth))
  })
  const cookies: Record<string, string> = {}

  before(async () => {
    for (const name of people) cookies[name] = await cookieOf(name)
  })

  /** The ways to ask who one is. */
  const ways: ReadonlyArray<(request: Request) => Promise<string>> = [
    async () => [...new Set([show(await auth()), show(await auth())])].join(' and '),
    async (request) => (await wrapped(request)).text(),
    async (request) => {
      const answer = await handlers.GET(new Request(new URL('/api/auth/session', request.url), request))
      return show(await answer.json())
    },
    async () => {
      await yieldTurns(3)
      return show(await auth())
    },
  ]

  it('RC-08 see their own session, configuration and cookies, and no other', async () => {
    const seen = await Promise.all(
      Array.from({ length: 1000 }, async (_, at) => {
        const person = people[at % 2] ?? ''
        const of = tenants[(at >> 1) % 2] ?? ''
        const way = ways[at % ways.length] ?? expect.fail('no such way')
        const request = new Request(`http://${of}.test/page`, { headers: { cookie: cookies[person] ?? '' } })
        const response = await withRequest(request, async () => new Response(await way(request)))
        const owners = response.headers.getSetCookie().map((line) => line.split('=')[0])
        return {
          is: await response.text(),
          wanted: `${person} of ${of}`,
          owners: new Set(owners).size === owners.length,
        }
      }),
    )
    expect(seen.filter(({ is, wanted, owners }) => is !== wanted || !owners)).to.deep.equal([])
    expect(new Set(seen.map(({ is }) => is)).size).to.equal(4)
  })

  it('sign in and out without touching one another', async () => {
    const seen = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const person = people[at % 2] ?? ''
        const of = tenants[(at >> 1) % 2] ?? ''
        const leaves = at % 3 === 0
        const response = await withRequest(new Request(`http://${of}.test/login`, { method: 'POST' }), async () => {
          await yieldTurns(at % 5)
          await signIn('credentials', { username: person, password: 'right', redirect: false })
          const before = show(await auth())
          if (leaves) await signOut({ redirect: false })
          await yieldTurns(at % 4)
          return new Response(`${before}, then ${show(await auth())}`)
        })
        const session = response.headers.getSetCookie().filter((line) => line.startsWith(`${sessionName}=`))
        const wanted = `${person} of ${of}, then ${leaves ? 'nobody of nothing' : `${person} of ${of}`}`
        return { is: await response.text(), wanted, cleared: session.map((line) => line.includes('Max-Age=0')), leaves }
      }),
    )
    expect(seen.filter(({ is, wanted }) => is !== wanted)).to.deep.equal([])
    for (const { cleared, leaves } of seen) expect(cleared).to.deep.equal([leaves])
  })

  it('read the right cookie of a request whose way through the code is long', async () => {
    const request = (name: string) => new Request('http://red.test/', { headers: { cookie: cookies[name] ?? '' } })
    const outer = await withRequest(request('ann'), async () => {
      const inner = await withRequest(request('bob'), async () => new Response(show(await auth())))
      return new Response(`${show(await auth())} around ${await inner.text()}`)
    })
    expect(await outer.text()).to.equal('ann of red around bob of red')
  })
})
