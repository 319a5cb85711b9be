/**
 * Tests of the fields that a visitor may send to `authorize`: text, unless the developer asked for more. Through every
 * door.
 */
import { expect } from 'chai'
import { CredentialsSignin, InvalidConfiguration } from '../../lib/errors.js'
import { ServerAuth } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { CredentialsConfig } from '../../lib/types/provider.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'
import { rejectionOf } from '../support/rejection.js'

const path = '/api/auth/callback/credentials'

/** Returns a provider that accepts every user and records the fields that it gets. */
function recording(options: Partial<CredentialsConfig>) {
  const seen: Array<Record<string, unknown>> = []
  const provider = credentials({
    authorize(fields) {
      seen.push({ ...fields })
      return { id: '1', name: 'Ann' }
    },
    ...options,
  })
  return { provider, seen }
}

const undeclared: Partial<CredentialsConfig> = { credentials: {} }

const values: ReadonlyArray<[what: string, value: unknown]> = [
  ['an operator of a database', { $ne: '' }],
  ['an object', {}],
  ['a list of guesses', ['right', 'wrong']],
  ['a list of one', ['right']],
  ['an empty list', []],
  ['a number', 0],
  ['true', true],
  ['null', null],
]

for (const [name, open] of [
  ['the Router', (config: Partial<FullStackAuthConfig>) => openExpress(config)],
  ['the handlers', openShim],
] as const) {
  describe(`the fields of a credentials sign-in, through ${name}`, () => {
    const doors: Door[] = []

    afterEach(async () => {
      await Promise.all(doors.splice(0).map((door) => door.close()))
    })

    async function start(options: Partial<CredentialsConfig> = {}) {
      const { provider, seen } = recording(options)
      const door = await open({ providers: [provider] })
      doors.push(door)
      const visitor = door.browser()
      const post = async (fields: object) => visitor.ask(path, { json: { csrfToken: await visitor.csrf(), ...fields } })
      return { door, visitor, seen, post }
    }

    function expectRefused({ status, headers, cookies }: Answer, door: Door): void {
      expect(status).to.equal(303)
      expect(headers.location).to.equal(`${door.origin}/api/auth/signin?error=CredentialsSignin&code=credentials`)
      expect(cookies.join()).to.not.include('session-token')
    }

    for (const [what, value] of values) {
      it(`are rejected before \`authorize\` if one is ${what}`, async () => {
        for (const options of [{}, undeclared]) {
          const { door, seen, post } = await start(options)
          expectRefused(await post({ username: 'ann', password: value }), door)
          expect(seen).to.deep.equal([])
        }
      })

      it(`may be ${what} if the input, or the provider, accepts JSON`, async () => {
        const inputs = { username: {}, password: { json: true } }
        for (const options of [{ credentials: inputs }, { json: true }, { ...undeclared, json: true }]) {
          const { seen, post } = await start(options)
          expect((await post({ username: 'ann', password: value })).status).to.equal(303)
          expect(seen).to.deep.equal([{ username: 'ann', password: value }])
        }
      })
    }

    it('HP-03 are rejected if a form repeats one', async () => {
      for (const options of [{}, undeclared]) {
        const { door, visitor, seen } = await start(options)
        const form = { csrfToken: true, username: 'ann', password: ['right', 'wrong'] } as const
        expectRefused(await visitor.ask(path, { form }), door)
        expect(seen).to.deep.equal([])
      }
    })

    it('are no object by the brackets of a form', async () => {
      const { visitor, seen } = await start()
      const form = { csrfToken: true, username: 'ann', 'password[$ne]': 'x', 'password[]': 'y' } as const
      await visitor.ask(path, { form })
      expect(seen).to.deep.equal([{ username: 'ann' }])
    })

    it('of one input say nothing about another', async () => {
      const inputs = { username: {}, age: { json: true } }
      const { door, seen, post } = await start({ credentials: inputs })
      expectRefused(await post({ username: ['ann'], age: 7 }), door)
      expect(seen).to.deep.equal([])
    })

    it('of one input may be text only if the provider accepts JSON', async () => {
      const { door, post } = await start({ json: true, credentials: { username: { json: false }, age: {} } })
      expectRefused(await post({ username: ['ann'], age: 7 }), door)
    })

    it('that were not declared are ignored', async () => {
      const { seen, post } = await start()
      expect((await post({ username: 'ann', password: 'x', extra: { $ne: '' } })).status).to.equal(303)
      expect(seen).to.deep.equal([{ username: 'ann', password: 'x' }])
    })
  })
}

describe('the fields of signIn() on the server', () => {
  for (const [what, value] of values) {
    it(`are rejected before \`authorize\` if one is ${what}`, async () => {
      const { provider, seen } = recording({})
      const { signIn } = initAuth({ secret, providers: [provider], logger: createLog().logger })
      const request = new Request('http://localhost/login', { method: 'POST', headers: { origin: 'http://localhost' } })
      const thrown: unknown[] = []
      await withRequest(request, async () => {
        const options = { username: 'ann', password: value, redirect: false } as const
        thrown.push(await rejectionOf(signIn('credentials', options)))
        return new Response()
      })
      expect(thrown[0]).to.be.instanceOf(CredentialsSignin)
      expect(seen).to.deep.equal([])
    })
  }
})

describe('the option `json` of credentials', () => {
  it('is true or false', () => {
    for (const options of [{ json: 'yes' }, { credentials: { username: { json: 1 } } }]) {
      const provider = credentials(options as unknown as Partial<CredentialsConfig>)
      expect(() => ServerAuth({ secret, providers: [provider] })).to.throw(InvalidConfiguration, 'json')
    }
  })
})
