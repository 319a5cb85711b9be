/** Attempts of all kinds: one purpose, one browser, one mount, a quarter of an hour, one use. */
import { expect } from 'chai'
import { createOwnMemory, type SiteMemory } from '../../lib/base/memory.js'
import { resolveCookies } from '../../lib/config/site.js'
import type { AuthContext, GuardedLimits } from '../../lib/contracts/index.js'
import { AdapterError, InvalidCheck } from '../../lib/errors.js'
import { unguardedLimits } from '../../lib/features/limits/guard.js'
import { Attempts, attemptMaxAge, clearAttempt } from '../../lib/flows/attempt.js'
import type { AttemptSlot } from '../../lib/http/cookie-budget.js'
import { CookieJar } from '../../lib/http/cookies.js'
import { AuthUrls } from '../../lib/http/urls.js'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import { secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'

interface Facts {
  readonly what: string
}

const facts: Facts = { what: 'a second factor' }
const codes = new Attempts<Facts>('transaction')
const others = new Attempts<Facts>('email-attempt')

describe('Attempts', () => {
  let memory: SiteMemory
  let browser: Map<string, string>

  beforeEach(() => {
    memory = createOwnMemory()
    browser = new Map()
  })
  afterEach(restoreClock)

  /** A request of a browser, which stores the cookies of the answer when it is `done`. */
  function visit({ of = browser, basePath = '/auth', host = 'site.example' } = {}) {
    const cookies = new CookieJar([...of].map(([name, value]) => `${name}=${value}`).join('; '))
    const context = {
      config: { secrets: [secret], memory },
      cookies,
      cookiePolicy: resolveCookies(undefined).secure,
      request: { basePath },
      urls: new AuthUrls(`https://${host}`, basePath),
    } as unknown as AuthContext
    const done = () => {
      for (const [name, line] of cookies.written) {
        const value = line
          .slice(name.length + 1)
          .split(';', 1)
          .join()
        if (value === '') of.delete(name)
        else of.set(name, value)
      }
    }
    return { context, done }
  }

  async function sealed(): Promise<string> {
    const { context, done } = visit()
    const text = await codes.seal(context, facts, ['provider'])
    done()
    return text
  }

  async function kept(slot: AttemptSlot = 0): Promise<string> {
    const { context, done } = visit()
    const { id } = await codes.storeInCookie(context, slot, facts)
    done()
    return id
  }

  const slotsHeld = async (request = visit(), slots: AttemptSlot[] = [0, 1]) =>
    (await codes.presented(request.context, slots)).map(({ slot }) => slot)

  describe('that the browser brings back itself', () => {
    const opened = async (request = visit(), place = ['provider'], text?: string) =>
      codes.open(request.context, text ?? (await sealed()), place)

    it('give the facts back, with an id', async () => {
      const text = await sealed()
      const attempt = await codes.open(visit().context, text, ['provider'])
      expect(attempt).to.deep.include({ isHere: true })
      expect(attempt?.attempt).to.include(facts)
      expect(attempt?.attempt.id).to.match(/^[\w-]{22}$/)
    })

    it('do not open as another kind, which has another key', async () => {
      expect(await others.open(visit().context, await sealed(), ['provider'])).to.equal(undefined)
    })

    it('are not of another browser, with a cookie of its own or none', async () => {
      const text = await sealed()
      const stranger = new Map<string, string>()
      expect((await opened(visit({ of: stranger }), ['provider'], text))?.isHere).to.equal(false)
      const begun = visit({ of: stranger })
      await codes.seal(begun.context, facts, [])
      begun.done()
      expect((await opened(visit({ of: stranger }), ['provider'], text))?.isHere).to.equal(false)
    })

    for (const [what, elsewhere] of [
      ['mount', { basePath: '/admin/auth' }],
      ['host', { host: 'other.example' }],
    ] as const) {
      it(`are not of another ${what}`, async () => {
        const text = await sealed()
        expect((await opened(visit(elsewhere), ['provider'], text))?.isHere).to.equal(false)
      })
    }

    it('are not of another place, or of a cookie', async () => {
      const text = await sealed()
      expect((await opened(visit(), ['another'], text))?.isHere).to.equal(false)
      browser.set(`${visit().context.cookiePolicy.transaction.name}.0`, text)
      expect(await slotsHeld()).to.deep.equal([])
    })

    it('end after a quarter of an hour', async () => {
      freezeClock()
      const text = await sealed()
      advanceClock(attemptMaxAge - 1)
      expect((await opened(visit(), ['provider'], text))?.isHere).to.equal(true)
      advanceClock(1)
      expect(await opened(visit(), ['provider'], text)).to.equal(undefined)
    })
  })

  describe('in a cookie', () => {
    it('are found by their slots, in this browser', async () => {
      await kept(0)
      await kept(1)
      expect(await slotsHeld()).to.deep.equal([0, 1])
      expect(await slotsHeld(visit(), ['email'])).to.deep.equal([])
    })

    it('are not found in another browser, in which an attacker planted the cookie', async () => {
      await kept()
      const planted = new Map([...browser].filter(([name]) => name.includes('transaction')))
      expect(planted).to.have.property('size', 1)
      expect(await slotsHeld(visit({ of: planted }))).to.deep.equal([])
    })

    it('have the path of the mount, and go when they are cleared', async () => {
      const { context } = visit()
      await codes.storeInCookie(context, 0, facts)
      expect([...context.cookies.written.values()].find((line) => line.includes('transaction'))).to.include(
        'Path=/auth;',
      )
      await kept()
      const request = visit()
      clearAttempt(request.context, 0)
      request.done()
      expect(await slotsHeld()).to.deep.equal([])
    })

    it('of another kind are not found', async () => {
      await kept()
      expect(await others.presented(visit().context, [0])).to.deep.equal([])
    })
  })

  it('are used once, and an error tells whether they were completed', async () => {
    const id = await kept()
    const { context } = visit()
    await codes.consume(context, id, 'Used.')
    const again = () => rejectionOf(codes.consume(context, id, 'Used.'))
    expect(await again())
      .to.be.an.instanceOf(InvalidCheck)
      .with.deep.property('cause', { completed: false })
    codes.complete(context, id)
    expect(await again())
      .to.be.an.instanceOf(InvalidCheck)
      .with.deep.property('cause', { completed: true })
    expect(codes.invalidCheck(context, undefined, 'No.')).to.have.deep.property('cause', { completed: false })
    // Another kind counts for itself.
    await others.consume(context, id, 'Used.')
  })

  it('are used once in all processes that count in one store, and not at all while it is away', async () => {
    const id = await kept()
    const store = unguardedLimits(createMemoryCounter())
    // Each process has a memory of its own.
    const elsewhere = (limits: GuardedLimits) => {
      const { context } = visit()
      return {
        ...context,
        config: { ...context.config, memory: createOwnMemory(), rateLimit: { store: limits, rules: {} } },
      }
    }
    const uses = Array.from({ length: 20 }, () => codes.consume(elsewhere(store), id, 'Used.'))
    const outcomes = await Promise.allSettled(uses)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    const away = { consume: () => Promise.reject(new AdapterError('away')), refund: () => undefined }
    expect(await rejectionOf(codes.consume(elsewhere(away), 'another', 'Used.'))).to.be.an.instanceOf(AdapterError)
  })
})
