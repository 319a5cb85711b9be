/** `openTelemetry` with the real SDK, end to end: which spans and counts there are, what they say, and what they never say. */
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import { ServerAuth, type ServerAuthConfig, type Telemetry } from '../../lib/index.js'
import { type OpenTelemetryOptions, openTelemetry } from '../../lib/telemetry/index.js'
import { type Browser, credentials, secret, startApp, target } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { askToken, type RotatingProvider, signInAt, startRotatingProvider, tokenDoors } from '../tokens/stage.js'

/** Tracers and meters with exporters of their own, which keep the exported data. */
class Instruments {
  readonly spans = new InMemorySpanExporter()
  readonly #points = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  readonly #traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.spans)] })
  readonly #meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: this.#points, exportIntervalMillis: 3_600_000 })],
  })
  readonly tracer = this.#traces.getTracer('server-auth')
  readonly meter = this.#meters.getMeter('server-auth')

  /** Spans that ended, in their order, without what browsers of the tests ask for beside. */
  told() {
    return this.spans
      .getFinishedSpans()
      .filter(({ name }) => name !== 'auth.csrf')
      .map(({ name, attributes, status }) => ({ name, ...attributes, status: status.code }))
  }

  async metrics() {
    await this.#meters.forceFlush()
    return this.#points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics))
  }

  /** The counter's values by their attributes. */
  async counts(): Promise<Record<string, number>> {
    const counters = (await this.metrics()).filter(({ descriptor }) => descriptor.name === 'auth.operations')
    const values = counters.flatMap(({ dataPointType, dataPoints }) =>
      dataPointType === DataPointType.SUM ? dataPoints : [],
    )
    return Object.fromEntries(
      values.map(({ attributes, value }) => {
        const { 'auth.operation': name, 'auth.result': result, 'error.type': type } = attributes
        return [[name, result, type].filter(Boolean).join(' '), value]
      }),
    )
  }

  async end(): Promise<void> {
    await this.#traces.shutdown()
    await this.#meters.shutdown()
  }
}

const [unset, fault] = [0, 2]

for (const [door, start] of Object.entries(tokenDoors)) {
  describe(`openTelemetry (${door})`, () => {
    let provider: RotatingProvider
    let app: DoorApp
    let browser: Browser
    let instruments: Instruments

    before(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
    after(() => context.disable())

    beforeEach(async () => {
      instruments = new Instruments()
      provider = await startRotatingProvider()
      app = await start({
        providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }, credentials()],
        tokens: { store: 'cookie' },
        telemetry: openTelemetry(instruments),
      })
      browser = app.browser()
    })
    afterEach(async () => {
      await app.close()
      await provider.hostile.close()
      await instruments.end()
    })

    const ofTest = { 'auth.provider': 'test' }
    const signin = {
      name: 'auth.signin',
      'auth.operation': 'signin',
      ...ofTest,
      'auth.result': 'success',
      status: unset,
    }
    const callback = { name: 'auth.callback', 'auth.operation': 'callback', ...ofTest }
    const refresh = { name: 'auth.refresh', 'auth.operation': 'refresh', ...ofTest }

    it('a sign-in: a span for its beginning and one for its end, which last as long as they took', async () => {
      await signInAt(browser, provider)
      expect(instruments.told()).to.deep.equal([signin, { ...callback, 'auth.result': 'success', status: unset }])
      expect(await instruments.counts()).to.deep.include({ 'signin success': 1, 'callback success': 1 })
      const [first] = instruments.spans.getFinishedSpans()
      expect(first?.duration[0]).to.be.lessThan(10)
      expect((await instruments.metrics()).map(({ descriptor }) => descriptor.name)).to.include(
        'auth.operation.duration',
      )
    })

    it('"Cancel" at the provider is refused, and no fault of the server', async () => {
      const begun = await browser.submit('/auth/signin/test')
      await browser.get(provider.hostile.authorize(target(begun), { code: null, error: 'access_denied' }))
      const denied = { 'auth.result': 'refused', 'error.type': 'OAuthCallbackError', status: unset }
      expect(instruments.told()).to.deep.equal([signin, { ...callback, ...denied }])
      expect(await instruments.counts()).to.deep.include({ 'callback refused OAuthCallbackError': 1 })
    })

    it('a provider that is away fails, at the beginning and at the end', async () => {
      const { routes } = provider.hostile
      routes.set('/.well-known/openid-configuration', () => ({ reset: true }))
      await browser.submit('/auth/signin/test')
      const unreached = { 'auth.result': 'failure', 'error.type': 'OAuthSignInError', status: fault }
      expect(instruments.told()).to.deep.equal([{ ...signin, ...unreached }])
      routes.clear()
      instruments.spans.reset()
      const begun = await browser.submit('/auth/signin/test')
      provider.hostile.onToken = async () => ({ reset: true })
      await browser.get(provider.hostile.authorize(target(begun)))
      const failed = { 'auth.result': 'failure', status: fault }
      expect(instruments.told()[1]).to.deep.equal({ ...callback, ...failed, 'error.type': 'OAuthCallbackError' })
      expect(await instruments.counts()).to.deep.include({ 'callback failure OAuthCallbackError': 1 })
    })

    it('a wrong password is refused', async () => {
      await browser.signIn({ password: 'wrong' })
      const refused = { 'auth.result': 'refused', 'error.type': 'CredentialsSignin', status: unset }
      expect(instruments.told()).to.deep.equal([{ ...callback, 'auth.provider': 'credentials', ...refused }])
    })

    it('a refresh of a token: done, ended by the provider, and with the provider away', async () => {
      provider.life = 0
      await signInAt(browser, provider)
      instruments.spans.reset()
      await askToken(browser)
      expect(instruments.told()).to.deep.equal([{ ...refresh, 'auth.result': 'success', status: unset }])
      provider.hostile.onToken = async () => ({ reset: true })
      await askToken(browser, { forceRefresh: true })
      const away = { 'auth.result': 'failure', 'error.type': 'RefreshError', status: fault }
      expect(instruments.told().at(-1)).to.deep.equal({ ...refresh, ...away })
      provider.hostile.onToken = async () => ({ status: 400, body: { error: 'invalid_grant' } })
      await askToken(browser, { forceRefresh: true })
      const ended = { 'auth.result': 'refused', 'error.type': 'ConsentRequired', status: unset }
      expect(instruments.told().at(-1)).to.deep.equal({ ...refresh, ...ended })
      expect(await instruments.counts()).to.deep.include({
        'refresh failure RefreshError': 1,
        'refresh refused ConsentRequired': 1,
      })
    })

    it('a valid token causes no request to the provider, and no event', async () => {
      await signInAt(browser, provider)
      instruments.spans.reset()
      await askToken(browser)
      expect(instruments.told()).to.deep.equal([])
    })

    it('names no person, address, URL, token or made-up provider', async () => {
      browser.headers['user-agent'] = 'Reader/1.0'
      await signInAt(browser, provider)
      await browser.signIn({ username: 'mallory', password: 'wrong' })
      await browser.get('/auth/signin/made-up-by-a-stranger')
      await browser.get('/auth/session')
      const all = JSON.stringify([
        instruments.spans
          .getFinishedSpans()
          .map(({ name, attributes, status, events, links }) => [name, attributes, status, events, links]),
        await instruments.metrics(),
      ])
      expect(all).to.contain('auth.session').and.contain('InvalidProvider')
      const unsaid = ['person', 'mallory', 'example', '127.0.0.1', 'http', 'Reader', 'stranger', ...provider.given]
      expect(unsaid.filter((each) => all.includes(each))).to.deep.equal([])
    })

    it('the span is active while the work continues', async () => {
      let within: unknown
      await app.close()
      app = await start({
        providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }],
        tokens: { store: 'cookie' },
        telemetry: openTelemetry(instruments),
        callbacks: {
          signIn() {
            within = trace.getActiveSpan()?.spanContext().spanId
            return true
          },
        },
      })
      await signInAt(app.browser(), provider)
      const span = instruments.spans.getFinishedSpans().find(({ name }) => name === 'auth.callback')
      expect(within).to.be.a('string').and.equal(span?.spanContext().spanId)
    })
  })
}

describe('the option telemetry', () => {
  const withTelemetry = (telemetry: Telemetry) => startApp({ telemetry })

  it('harms no sign-in: where it throws, never runs the work, or runs it twice, the work is done once', async () => {
    const broken: Record<string, Telemetry['observe']> = {
      throws() {
        throw new Error('the exporter is broken')
      },
      'throws later'(_operation, run) {
        void run()
        throw new Error('the exporter is broken')
      },
      'never runs it': () => {},
      'runs it twice'(_operation, run) {
        void run()
        void run()
      },
    }
    for (const [name, observe] of Object.entries(broken)) {
      const app = await withTelemetry({ observe })
      const browser = app.browser()
      await browser.signIn()
      expect(await browser.session(), name).to.have.nested.property('user.name', 'ann')
      expect(app.log.errors.length > 0, name).to.equal(name.startsWith('throws'))
      await app.close()
    }
  })

  it('an SDK that throws in the middle leaves no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    const instruments = new Instruments()
    const meter = {
      ...instruments.meter,
      createCounter: () => ({
        add() {
          throw new Error('no')
        },
      }),
      createHistogram: () => ({ record() {} }),
    } as unknown as NonNullable<OpenTelemetryOptions['meter']>
    const app = await withTelemetry(openTelemetry({ meter }))
    const { status } = await app.browser().get('/auth/providers')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await app.close()
    await instruments.end()
    process.off('unhandledRejection', listen)
    expect([status, unhandled]).to.deep.equal([200, []])
  })

  it('measures without spans, and makes spans without measuring', async () => {
    for (const one of ['tracer', 'meter'] as const) {
      const instruments = new Instruments()
      const app = await withTelemetry(openTelemetry({ [one]: instruments[one] }))
      await app.browser().get('/auth/providers')
      await app.close()
      expect([instruments.told().length, (await instruments.metrics()).length]).to.deep.equal(
        one === 'tracer' ? [1, 0] : [0, 2],
      )
      await instruments.end()
    }
  })

  it('says what is wrong', () => {
    expect(() => openTelemetry({})).to.throw(TypeError, 'pass a `tracer`, a `meter`, or both')
    const wrong = { tracer: {} } as unknown as OpenTelemetryOptions
    expect(() => openTelemetry(wrong)).to.throw(TypeError, '`tracer` has no method `startActiveSpan`')
    const config = { secret, providers: [credentials()], telemetry: { tracer: {} } } as unknown as ServerAuthConfig
    expect(() => ServerAuth(config)).to.throw(InvalidConfiguration, /`telemetry` must be the result of `openTelemetry/)
  })
})
