/** AWS Lambda: Express behind `serverless-http`, which puts the bytes of the body into `req.body`. */
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import express from 'express'
import serverless from 'serverless-http'
import serverless3 from 'serverless-http3'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { defineAuth, hasCsrfToken, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import Email from '../../lib/providers/email.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { Browser, complete, createApp, createLog, credentials, target } from '../support/app.js'
import { type Gateway, type GatewayKind, gatewayKinds, startGateway } from '../support/lambda.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'

const adapters = [
  ['serverless-http 4', serverless],
  ['serverless-http 3', serverless3],
] as const

describe('AWS Lambda', () => {
  let provider: OpenIdProvider
  before(async () => {
    provider = await startOpenIdProvider()
  })
  after(() => provider.close())

  for (const [name, adapter] of adapters) {
    for (const kind of gatewayKinds) {
      for (const base64 of [true, false]) {
        describe(`${name}, ${kind}, ${base64 ? 'Base64' : 'text'}`, () => {
          let gateway: Gateway
          let browser: Browser
          before(async () => {
            gateway = await startGateway(kind, adapter(lambdaApp(provider, kind)), { base64 })
          })
          after(() => gateway.close())
          beforeEach(() => {
            browser = new Browser(gateway.origin)
          })

          itSignsIn(() => ({ provider, gateway, browser }))
        })
      }
    }

    describe(`${name}, a body that cannot be read`, () => {
      let gateway: Gateway
      before(async () => {
        gateway = await startGateway('API Gateway, payload 2.0', adapter(lambdaApp(provider)))
      })
      after(() => gateway.close())

      const post = (type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
        new Browser(gateway.origin).ask('/auth/session', { body, headers: { 'content-type': type, ...headers } })

      for (const [title, status, type, body] of [
        ['broken JSON', 400, 'application/json', '{"a":'],
        ['a JSON text', 400, 'application/json', '"text"'],
        ['another charset', 415, 'application/json; charset=utf-16le', '{}'],
        ['more than 100 KiB', 413, 'application/json', `{"a":"${'x'.repeat(102_400)}"}`],
        ['too many fields', 413, 'application/x-www-form-urlencoded', 'a&'.repeat(10_000)],
      ] as const) {
        it(`${title} is ${status}`, async () => {
          const answer = await post(type, body)
          expect([answer.status, answer.body.error]).to.deep.equal([status, 'InvalidRequest'])
        })
      }

      it('DOS-03 is 413 when it is only large after inflation', async () => {
        const bomb = gzipSync(`{"a":"${'a'.repeat(10 * 1024 * 1024)}"}`)
        const answer = await post('application/json', bomb, { 'content-encoding': 'gzip' })
        expect([answer.status, answer.body.error]).to.deep.equal([413, 'InvalidRequest'])
      })

      it('has no fields as text: another site can send that', async () => {
        const browser = new Browser(gateway.origin)
        const body = JSON.stringify({ csrfToken: await browser.csrf() })
        const answer = await browser.ask('/auth/session', { body, headers: { 'content-type': 'text/plain' } })
        expect([answer.status, answer.body.error]).to.deep.equal([403, 'MissingCSRF'])
      })
    })
  }
})

describe('AWS Lambda, as the guide has it', () => {
  it('sends emails before the function ends, request after request', async () => {
    const sent: string[] = []
    const mail: EmailConfig = Email({
      from: 'app@example.com',
      async sendVerificationRequest({ identifier }) {
        await setTimeout(100)
        sent.push(identifier)
      },
    })
    const auth = defineAuth(complete({ providers: [mail], adapter: memoryAdapter() }, createLog()))
    const app = serverless(express().use('/auth', auth.router))
    const gateway = await startGateway('API Gateway, payload 2.0', async (event, context) => {
      const response = await app(event, context)
      await auth.router.close()
      return { ...response, headers: { ...Object(response).headers, 'x-sent': sent.join() } }
    })
    for (const expected of ['ann@example.com', 'ann@example.com,bob@example.com']) {
      const email = expected.split(',').at(-1)
      const answer = await new Browser(gateway.origin).submit('/auth/signin/email', { email })
      expect(answer.headers['x-sent']).to.equal(expected)
    }
    await gateway.close()
  })

  for (const [, adapter] of adapters) {
    it('finds the client behind a load balancer', async () => {
      const app = express()
        .set('trust proxy', 1)
        .get('/', (req, res) => void res.send(req.ip))
      const asInTheGuide = adapter(app, { request: (request: { ip?: unknown }) => void delete request.ip })
      const gateway = await startGateway('load balancer', asInTheGuide)
      expect((await new Browser(gateway.origin).get('/')).text).to.equal('127.0.0.1')
      await gateway.close()
    })
  }
})

/** An application with a guarded page and a form of its own, and no body parser. */
function lambdaApp(provider: OpenIdProvider, kind?: GatewayKind) {
  const config: ServerAuthConfig = complete(
    { providers: [credentials(), { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }] },
    createLog(),
  )
  // A load balancer tells the scheme by a header only.
  return createApp(config, {
    ...(kind === 'load balancer' && { trustProxy: 1 }),
    after: (app) => {
      app.get('/private', requireSession(config), (_req, res) => void res.send('private'))
      app.post('/note', (req, res) => void res.sendStatus(hasCsrfToken(req, config) ? 204 : 403))
      app.post('/parsed', express.urlencoded({ extended: false }), (req, res) => {
        res.sendStatus(hasCsrfToken(req, config) ? 204 : 403)
      })
    },
  })
}

interface Stage {
  readonly provider: OpenIdProvider
  readonly gateway: Gateway
  readonly browser: Browser
}

function itSignsIn(stage: () => Stage): void {
  it('signs in by a form, guards a page, and signs out', async () => {
    const { browser, gateway } = stage()
    expect((await browser.get('/private', { accept: 'text/html' })).status).to.equal(302)
    // `+`, `%` and letters of several bytes arrive as they were typed.
    const end = await browser.signIn({ username: 'zoë + 100%', callbackUrl: '/there?a=1&b=%2B' })
    expect([end.status, target(end).replace(/^https?:/, '')]).to.deep.equal([
      303,
      `${gateway.origin.replace(/^https?:/, '')}/there?a=1&b=%2B`,
    ])
    expect(end.cookies.map((cookie) => cookie.split('=')[0])).to.include.members([
      '__Secure-auth.session-token',
      '__Host-auth.csrf-token',
    ])
    expect(await browser.session()).to.have.nested.property('user.name', 'zoë + 100%')
    const page = await browser.get('/private')
    expect([page.status, page.text]).to.deep.equal([200, 'private'])
    expect((await browser.submit('/auth/signout')).status).to.equal(303)
    expect(await browser.session()).to.equal(null)
  })

  it('signs in by JSON', async () => {
    const { browser } = stage()
    const json = { csrfToken: await browser.csrf(), username: 'bob', password: 'right' }
    expect((await browser.send('post', '/auth/callback/credentials', { json })).status).to.equal(303)
    expect(await browser.session()).to.have.nested.property('user.name', 'bob')
  })

  it('signs in with an OpenID provider', async () => {
    const { browser, provider } = stage()
    const start = await browser.submit('/auth/signin/test', { callbackUrl: '/private' })
    const back = new URL(await provider.signInAs(target(start), 'alice'))
    const end = await browser.get(back.pathname + back.search)
    expect([end.status, new URL(target(end)).pathname]).to.deep.equal([302, '/private'])
    expect((await browser.get('/private')).text).to.equal('private')
  })

  it('refuses a wrong password and a wrong token', async () => {
    const { browser } = stage()
    const wrong = await browser.signIn({ password: 'wrong' })
    expect(target(wrong)).to.include('error=CredentialsSignin')
    const forged = await browser.post('/auth/signout', { csrfToken: 'f'.repeat(64) }, { accept: 'application/json' })
    expect([forged.status, forged.body.error]).to.deep.equal([403, 'MissingCSRF'])
  })

  for (const path of ['/note', '/parsed']) {
    it(`checks the token of an own form at ${path}`, async () => {
      const { browser } = stage()
      const csrfToken = await browser.csrf()
      expect((await browser.post(path, { csrfToken })).status).to.equal(204)
      expect((await browser.post(path, { csrfToken: 'f'.repeat(64) })).status).to.equal(403)
      expect((await browser.post(path)).status).to.equal(403)
    })
  }
}
