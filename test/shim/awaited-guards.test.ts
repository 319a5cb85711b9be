/** Guards without `await`: inside a request that the library answers, the response of the handler is not sent. */
import { setImmediate as macrotask } from 'node:timers/promises'
import { expect } from 'chai'
import initAuth, { withRequest } from '../../shim/index.js'
import { credentials } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { type Auth, guardCalls, guardProvider } from './guard-calls.js'
import { configure, cookieOf, get, logOf } from './stage.js'

/** The ways in which the library answers a request. */
const doors: Readonly<
  Record<string, (auth: Auth, request: Request, handler: (request: Request) => Promise<Response>) => Promise<Response>>
> = {
  withRequest: (_auth, request, handler) => withRequest(request, () => handler(request)),
  'auth(handler)': (auth, request, handler) => auth(handler)(request),
  'auth(handler) in withRequest': (auth, request, handler) => withRequest(request, () => auth(handler)(request)),
}

const secretResponse = () => new Response('secret')

describe('FO-07: a guard without await', () => {
  const setUp = () => {
    const config = configure({ providers: [credentials(), guardProvider], tokens: { store: 'cookie' } })
    const lines = () => logOf(config).errors.map(({ message }) => message)
    return { ...initAuth(config), lines }
  }
  let unhandled = 0
  const count = () => {
    unhandled += 1
  }
  beforeEach(() => {
    unhandled = 0
    process.on('unhandledRejection', count)
  })
  afterEach(() => void process.off('unhandledRejection', count))

  for (const [door, answer] of Object.entries(doors))
    for (const [name, { call, status }] of Object.entries(guardCalls)) {
      it(`${name} in ${door} is answered with 500 and one line`, async () => {
        for (const headers of [{ cookie: '' }, { cookie: await cookieOf('ann') }]) {
          const { auth, lines } = setUp()
          const response = await answer(auth, get('/', headers), async (request) => {
            void call(auth, request)
            return secretResponse()
          })
          expect(response.status).to.equal(500)
          expect(await response.text()).to.not.include('secret')
          expect(lines()).to.have.length(1)
          expect(lines()[0]).to.include(`Write \`await ${name.slice(0, -1)}`)
          await macrotask()
          expect(unhandled).to.equal(0)
        }
      })

      it(`${name} in ${door} that is awaited later rejects there`, async () => {
        const { auth, lines } = setUp()
        const response = await answer(auth, get('/'), async (request) => {
          const guard = call(auth, request)
          await macrotask()
          await macrotask()
          await guard
          return secretResponse()
        })
        expect(response.status).to.equal(status)
        expect([lines().length, unhandled]).to.deep.equal([0, 0])
      })

      it(`${name} in ${door} is awaited by Promise.all, Promise.race, return and then`, async () => {
        const { auth, lines } = setUp()
        const waits: ReadonlyArray<(guard: Promise<unknown>) => Promise<unknown>> = [
          (guard) => Promise.all([guard]),
          (guard) => Promise.race([guard]),
          (guard) => guard.then(() => undefined),
          (guard) => guard.finally(() => undefined),
          async (guard) => guard,
        ]
        for (const wait of waits) {
          const response = await answer(auth, get('/'), async (request) => {
            await wait(call(auth, request))
            return secretResponse()
          })
          expect(response.status).to.equal(status)
        }
        expect(lines()).to.have.length(0)
      })
    }

  it('lets signed-in users through if it is awaited', async () => {
    const { auth, lines } = setUp()
    for (const answer of Object.values(doors)) {
      const response = await answer(auth, get('/', { cookie: await cookieOf('ann') }), async (request) => {
        const [session] = await Promise.all([auth.require(request), macrotask()])
        return Response.json(session.user?.name)
      })
      expect([response.status, await response.json()]).to.deep.equal([200, 'ann'])
    }
    expect(lines()).to.have.length(0)
  })

  it('is answered with 500 for the current request, too', async () => {
    const { auth, lines } = setUp()
    const response = await withRequest(get('/'), async () => {
      void auth.require()
      return secretResponse()
    })
    expect(response.status).to.equal(500)
    expect(lines()).to.have.length(1)
  })

  it('passes on the error of a handler', async () => {
    const { auth } = setUp()
    const fault = new Error('of the handler')
    const answer = withRequest(get('/'), async () => {
      void auth.require(get('/'))
      throw fault
    })
    expect(await rejectionOf(answer)).to.equal(fault)
  })

  it('is a plain promise outside such a request', async () => {
    const { auth } = setUp()
    const guard = auth.require(get('/', { cookie: await cookieOf('ann') }))
    expect(guard.constructor).to.equal(Promise)
    await guard
  })

  it('is a plain promise after the handler has returned', async () => {
    const { auth } = setUp()
    let later: Promise<boolean> | undefined
    const request = get('/', { cookie: await cookieOf('ann') })
    await withRequest(request, async () => {
      later = macrotask().then(() => auth.require(request).constructor === Promise)
      return new Response()
    })
    expect(await later).to.equal(true)
  })

  it('is a plain promise after the handler has thrown', async () => {
    const { auth } = setUp()
    let later: Promise<boolean> | undefined
    const request = get('/', { cookie: await cookieOf('ann') })
    const answer = withRequest(request, async () => {
      later = macrotask().then(() => auth.require(request).constructor === Promise)
      throw new Error('of the handler')
    })
    await rejectionOf(answer)
    expect(await later).to.equal(true)
  })
})
