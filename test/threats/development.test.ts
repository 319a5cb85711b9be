/**
 * A site that is not set to "production": the hosts that it trusts, and the visitors who see causes of errors on its
 * pages.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { type Door, openExpress, openFetch, openShim } from '../support/doors.js'

const connection = 'postgres://app:pa55word-of-the-database@db.internal/app'

interface Mail {
  readonly url: string
}

function configure(mails: Mail[] = []): Partial<FullStackAuthConfig> {
  return {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      credentials({
        authorize: () => {
          throw new Error(`connect ECONNREFUSED ${connection}`)
        },
      }),
      { id: 'email', name: 'E-mail', type: 'email', sendVerificationRequest: ({ url }) => void mails.push({ url }) },
    ],
  }
}

/** Opens a Fetch server that knows the address of its client. */
function openKnowing(config: Partial<FullStackAuthConfig>, ip: string | undefined): Promise<Door> {
  const log = createLog()
  const { handlers } = initAuth({ secret, logger: log.logger, providers: [], ...config })
  return openFetch(log, (request) => handlers.GET(request), { ip })
}

const doors: ReadonlyArray<[name: string, open: (config: Partial<FullStackAuthConfig>) => Promise<Door>]> = [
  ['Express', (config) => openExpress(config)],
  ['Fetch', (config) => openKnowing(config, '127.0.0.1')],
]

for (const [name, open] of doors) {
  describe(`a site outside production, without AUTH_URL, by ${name}`, () => {
    let door: Door
    const mails: Mail[] = []
    before(async () => {
      mails.length = 0
      door = await open(configure(mails))
    })
    after(() => door.close())

    for (const [method, path] of [
      ['GET', 'session'],
      ['GET', 'csrf'],
      ['GET', 'providers'],
      ['GET', 'signin'],
      ['GET', 'error'],
      ['POST', 'signin/email'],
      ['POST', 'callback/credentials'],
    ] as const) {
      it(`rejects ${method} ${path} for a host that a stranger made up`, async () => {
        const visitor = door.browser()
        await visitor.csrf()
        const token = (await visitor.ask('/api/auth/csrf')).body.csrfToken
        const answer = await visitor.ask(`/api/auth/${path}`, {
          headers: { host: 'evil.example', accept: 'application/json' },
          ...(method === 'POST' && { form: { csrfToken: token, email: 'ann@example.com' } }),
        })
        expect(answer.status).to.equal(500)
        expect([...answer.cookies, answer.headers.location]).to.deep.equal([undefined])
        expect(mails).to.deep.equal([])
        expect(door.log.errors.at(-1)).to.have.property('type', 'UntrustedHost')
      })
    }

    for (const host of ['localhost:3000', 'app.localhost', 'app.test:8080', '127.0.0.1:3000', '[::1]', '192.168.1.7']) {
      it(`mails a link to ${host}`, async () => {
        mails.length = 0
        const visitor = door.browser({ host })
        const form = { csrfToken: true, email: `${host.replace(/\W/g, '')}@example.com` } as const
        expect((await visitor.ask('/api/auth/signin/email', { form })).status).to.equal(303)
        await expectEventually(() => mails.length === 1)
        expect(mails[0]?.url.startsWith(`http://${host}/api/auth/callback/email?`)).to.equal(true)
      })
    }

    it('shows the cause to its own machine, without secrets', async () => {
      const body = await causeFor(door, {})
      expect(body).to.include('For developers').and.include('ECONNREFUSED')
      expect(body).to.not.include('pa55word')
    })

    it('shows it where a proxy on this machine sends the requests of this machine', async () => {
      expect(await causeFor(door, { 'x-forwarded-for': '127.0.0.1, ::ffff:127.0.0.1, ::1' })).to.include('ECONNREFUSED')
    })

    const strangers: ReadonlyArray<Record<string, string>> = [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.7' },
      { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' },
      { 'x-forwarded-for': '192.168.1.7' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=203.0.113.7' },
      { 'x-real-ip': '203.0.113.7' },
    ]
    for (const headers of strangers) {
      it(`shows it to no other client: ${JSON.stringify(headers)}`, async () => {
        const body = await causeFor(door, headers)
        expect(body).to.match(/Reference: <code>[0-9a-f]{8}/)
        expect(body).to.not.include('ECONNREFUSED').and.not.include('For developers')
      })
    }
  })
}

describe('a site outside production whose host comes from a proxy', () => {
  const spoofed = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

  it('rejects a made-up host, if Express trusts the proxy', async () => {
    const door = await openExpress(configure(), { trustProxy: 1 })
    const visitor = door.browser(spoofed)
    expect((await visitor.ask('/api/auth/providers')).status).to.equal(500)
    expect((await visitor.ask('/me')).body).to.include({ type: 'UntrustedHost' })
    await door.close()
  })

  it('is believed with `trustHost: true`, by both doors', async () => {
    const config = { ...configure(), trustHost: true }
    for (const door of [await openExpress(config, { trustProxy: 1 }), await openShim(config)]) {
      const { text: body } = await door.browser(spoofed).ask('/api/auth/providers')
      expect(JSON.parse(body).email.callbackUrl).to.equal('https://evil.example/api/auth/callback/email')
      await door.close()
    }
  })
})

describe('the calls of the shim for a host that a stranger made up', () => {
  const request = new Request('http://evil.example/page')
  const engine = () => initAuth({ secret, logger: createLog().logger, providers: [credentials()] })

  for (const [what, call] of [
    ['auth()', () => engine().auth()],
    ['a guard', () => engine().auth(() => new Response('let in'))(request)],
    ['signIn()', () => engine().signIn('credentials', { redirect: false, username: 'ann', password: 'right' })],
  ] as const) {
    it(`${what} rejects`, async () => {
      let thrown: unknown
      await withRequest(request, async () => {
        await call().catch((error: unknown) => {
          thrown = error
        })
        return new Response()
      })
      expect(thrown).to.have.property('type', 'UntrustedHost')
    })
  }
})

describe('a Fetch server that does not know its clients', () => {
  it('shows no client the cause, because a stranger may send any host', async () => {
    const door = await openKnowing(configure(), undefined)
    expect(await causeFor(door, { host: 'localhost' })).to.not.include('ECONNREFUSED')
    await door.close()
  })

  it('shows the texts of our own configuration errors, and not those that the application throws', async () => {
    const log = createLog()
    const ask = async (config: () => FullStackAuthConfig, options = {}) => {
      const { handlers } = initAuth(config)
      const door = await openFetch(log, (request) => handlers.GET(request), options)
      const { text: body } = await door.browser().ask('/api/auth/session', { headers: { accept: 'text/html' } })
      await door.close()
      return body
    }
    const failing = () => {
      throw new Error(`no settings at ${connection}`)
    }
    expect(await ask(() => ({ secret, logger: log.logger, providers: [{} as never] }))).to.include(
      'InvalidConfiguration',
    )
    expect(await ask(failing)).to.not.include('no settings')
    const known = await ask(failing, { ip: '127.0.0.1' })
    expect(known).to.include('no settings').and.not.include('pa55word')
  })
})

/** Returns the error page after a sign-in that failed in the application's code. */
async function causeFor(door: Door, headers: Record<string, string>): Promise<string> {
  const visitor = door.browser(headers)
  const { headers: sent } = await visitor.signIn()
  const { pathname, search } = new URL(sent.location ?? '')
  return (await visitor.ask(pathname + search, { headers: { accept: 'text/html' } })).text
}

/** Waits for a condition, because mails are sent after the answer. */
async function expectEventually(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !isSo(); turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(isSo()).to.equal(true)
}
