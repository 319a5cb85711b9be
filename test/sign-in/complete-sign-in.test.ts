/** The steps after a flow has verified an identity: the `signIn` callback, the session, the event. */
import { expect } from 'chai'
import { AuthError, type ServerAuthConfig } from '../../lib/index.js'
import { type Browser, setCookies, startApp, type TestApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'

const started: TestApp[] = []

async function start(config: Partial<ServerAuthConfig>): Promise<{ app: TestApp; browser: Browser }> {
  const app = await startApp(config)
  started.push(app)
  return { app, browser: app.browser() }
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.close()))
})

async function expectNobody(browser: Browser, response: Answer): Promise<void> {
  expect(setCookies(response).join()).to.not.include('session-token')
  expect(await browser.session()).to.equal(null)
}

describe('callbacks.signIn', () => {
  async function signIn(verdict: unknown) {
    const { app, browser } = await start({ callbacks: { signIn: verdict as () => boolean } })
    return { app, browser, response: await browser.signIn({ callbackUrl: '/asked' }) }
  }

  for (const [what, verdict] of [
    ['true', () => true],
    ['a promise of true', async () => true],
  ] as const) {
    it(`that returns ${what} allows the sign-in`, async () => {
      const { app, browser, response } = await signIn(verdict)
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/asked`)
      expect(await browser.session()).to.be.an('object')
    })
  }

  for (const [what, verdict] of [
    ['false', () => false],
    ['a promise of false', async () => false],
    ['nothing', () => undefined],
    ['null', () => null],
    ['an empty string', () => ''],
    ['0', () => 0],
  ] as const) {
    it(`that returns ${what} rejects`, async () => {
      const { app, browser, response } = await signIn(verdict)
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=AccessDenied`)
      await expectNobody(browser, response)
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['AccessDenied'])
    })
  }

  for (const [how, verdict] of [
    ['throws', () => raise(new Error('not on the list'))],
    ['rejects', () => Promise.reject(new Error('not on the list'))],
  ] as const) {
    it(`that ${how} rejects, and only the log has the reason`, async () => {
      const { app, browser, response } = await signIn(verdict)
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=AccessDenied`)
      await expectNobody(browser, response)
      expect(app.log.errors[0]).to.include({ type: 'AccessDenied', message: 'not on the list' })
      expect((await browser.get(target(response))).text).to.not.include('not on the list')
    })
  }

  it('that throws an error of the library has that error answered', async () => {
    const { app, browser, response } = await signIn(() => raise(new AuthError('x')))
    expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
    await expectNobody(browser, response)
  })

  for (const [verdict, to] of [
    ['/welcome?step=1', '/welcome?step=1'],
    ['https://other.test/waiting-list', undefined],
  ] as const) {
    it(`that returns ${verdict} redirects there, signed out`, async () => {
      const { app, browser, response } = await signIn(() => verdict)
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(to === undefined ? verdict : app.origin + to)
      await expectNobody(browser, response)
    })
  }

  for (const verdict of ['javascript:alert(1)', 'data:text/html,x', 'http://[', 'https://a:b@other.test/']) {
    it(`that returns ${verdict} is an error`, async () => {
      const { app, browser, response } = await signIn(() => verdict)
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
      await expectNobody(browser, response)
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['CallbackRouteError'])
    })
  }
})

describe('the order of a sign-in', () => {
  it('is authorize’s identity, signIn, jwt, the event', async () => {
    const order: string[] = []
    const { browser } = await start({
      callbacks: {
        signIn() {
          order.push('signIn')
          return true
        },
        jwt({ token }) {
          order.push('jwt')
          return token
        },
      },
      events: {
        signIn() {
          order.push('event')
        },
      },
    })
    await browser.signIn()
    expect(order).to.deep.equal(['signIn', 'jwt', 'event'])
  })

  it('emits no event if the `jwt` callback fails', async () => {
    const told: unknown[] = []
    const { browser } = await start({
      callbacks: { jwt: () => raise(new Error('no')) },
      events: { signIn: (message) => void told.push(message) },
    })
    const response = await browser.signIn()
    await expectNobody(browser, response)
    expect(told).to.deep.equal([])
    expect(setCookies(response).join()).to.not.include('csrf-token')
  })
})

describe('events that fail', () => {
  const failing = {
    throws: () => raise(new Error('audit log is full')),
    'throws nothing': () => raise(undefined),
    rejects: () => Promise.reject(new Error('audit log is full')),
  }

  for (const [how, handler] of Object.entries(failing)) {
    for (const event of ['signIn', 'session'] as const) {
      it(`events.${event} that ${how} is logged and changes nothing`, async () => {
        const unhandled: unknown[] = []
        const note = (reason: unknown) => void unhandled.push(reason)
        process.on('unhandledRejection', note)
        const { app, browser } = await start({ events: { [event]: handler } })
        const response = await browser.signIn({ callbackUrl: '/x' })
        expect(response.status).to.equal(303)
        expect(target(response)).to.equal(`${app.origin}/x`)
        const session = await browser.get('/auth/session')
        expect(session.status).to.equal(200)
        expect(session.body).to.have.nested.property('user.name', 'ann')
        await new Promise((resolve) => setImmediate(resolve))
        process.off('unhandledRejection', note)
        expect(unhandled).to.deep.equal([])
        expect(app.log.errors).to.have.length(1)
        expect(app.log.errors[0]).to.have.property('type', 'EventError')
        expect(app.log.errors[0]?.message).to.include(`events.${event}`)
        expect(app.log.errors[0]).to.have.nested.property('cause.err').that.is.an('error')
      })
    }
  }

  for (const [how, error] of [
    ['throws', () => raise(new Error('disk full'))],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ] as const) {
    it(`LG-05 a logger that ${how} does no harm either`, async () => {
      const unhandled: unknown[] = []
      const note = (reason: unknown) => void unhandled.push(reason)
      process.on('unhandledRejection', note)
      const { app, browser } = await start({
        events: { signIn: failing.throws },
        logger: { error: error as () => void, warn: error as () => void, debug: error as () => void },
      })
      const response = await browser.signIn({ callbackUrl: '/x' })
      await new Promise((resolve) => setImmediate(resolve))
      process.off('unhandledRejection', note)
      expect(target(response)).to.equal(`${app.origin}/x`)
      expect(await browser.session()).to.be.an('object')
      expect(unhandled).to.deep.equal([])
    })
  }
})

function raise(error: unknown): never {
  throw error
}
