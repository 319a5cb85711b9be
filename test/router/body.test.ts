import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import cookieParser from 'cookie-parser'
import express, { type Express } from 'express'
import request from 'supertest'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, credentials, startApp, type TestApp, target } from '../support/app.js'
import { opened } from '../support/opened.js'
import { abandon, exchangeText, op, uploadEndlessly } from './fixtures.js'

const unreadable = 'The body cannot be read: send a form or JSON.'
const tooLarge = 'The body is too large: 102400 bytes and 1000 fields are allowed.'

/** Parsers that an application may have run before us, in all combinations. */
const parsers: ReadonlyArray<[name: string, install: (app: Express) => void]> = [
  ['json', (app) => void app.use(express.json())],
  ['urlencoded', (app) => void app.use(express.urlencoded({ extended: true }))],
  ['cookieParser', (app) => void app.use(cookieParser('a secret of the application'))],
]
const combinations = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => parsers.filter((_, at) => (bits & (1 << at)) !== 0))

describe('a body', () => {
  for (const chosen of combinations) {
    const names = chosen.map(([name]) => name).join(' and ') || 'nothing'

    describe(`when ${names} ran before`, () => {
      const app = opened(() =>
        startApp(undefined, { before: (on) => chosen.forEach(([, install]) => void install(on)) }),
      )

      it('signs in by a form', async () => {
        const browser = app.browser()
        const end = await browser.signIn({ callbackUrl: '/there' })
        expect([end.status, target(end)]).to.deep.equal([303, `${app.origin}/there`])
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })

      it('signs in by JSON', async () => {
        const browser = app.browser()
        const json = { csrfToken: await browser.csrf(), username: 'bob', password: 'right', callbackUrl: '/there' }
        const end = await browser.send('post', '/auth/callback/credentials', { json })
        expect([end.status, target(end)]).to.deep.equal([303, `${app.origin}/there`])
        expect(await browser.session()).to.have.nested.property('user.name', 'bob')
      })

      it('refuses a wrong token in both forms', async () => {
        const browser = app.browser()
        await browser.csrf()
        const wrong = { csrfToken: 'f'.repeat(64), username: 'ann', password: 'right' }
        const headers = { accept: 'application/json' }
        const form = await browser.send('post', '/auth/callback/credentials', { fields: wrong, headers })
        const json = await browser.send('post', '/auth/callback/credentials', { json: wrong, headers })
        for (const { status, body } of [form, json]) expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
        expect(await browser.session()).to.equal(null)
      })
    })
  }

  it('may be chunked, and compressed', async () => {
    const app = await startApp()
    const browser = app.browser()
    const json = gzipSync(JSON.stringify({ csrfToken: await browser.csrf(), username: 'ann', password: 'right' }))
    const reply = await exchangeText(
      app.origin,
      [
        'POST /auth/callback/credentials HTTP/1.1',
        'Host: app.test',
        `Cookie: ${browser.cookieHeader('/auth')}`,
        'Content-Type: application/json',
        'Content-Encoding: gzip',
        'Transfer-Encoding: chunked',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
      [Buffer.from(`${json.length.toString(16)}\r\n`), json, Buffer.from('\r\n0\r\n\r\n')],
    )
    await app.close()
    expect([reply.status, reply.headers.location]).to.deep.equal([303, 'http://app.test/'])
    expect(reply.headers['set-cookie']).to.include('auth.session-token=')
  })

  for (const [name, create] of [
    ['text', express.text],
    ['bytes', express.raw],
  ] as const) {
    // Express 4.17 added both parsers.
    if (create === undefined) continue
    const parser = create({ type: '*/*' })
    describe(`that the application read as ${name}`, () => {
      const app = opened(() => startApp({}, { before: (on) => void on.use(parser) }))

      it('is parsed by its type', async () => {
        const browser = app.browser()
        expect((await browser.signIn()).status).to.equal(303)
        const json = { csrfToken: await browser.csrf(), data: {} }
        const { status, body } = await browser.send('post', '/auth/session', { json })
        expect([status, body.user?.name]).to.deep.equal([200, 'ann'])
      })

      it('was decompressed by the parser', async () => {
        const browser = app.browser()
        const body = gzipSync(JSON.stringify({ csrfToken: await browser.csrf(), username: 'ann', password: 'right' }))
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
        expect((await browser.ask('/auth/callback/credentials', { body, headers })).status).to.equal(303)
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })

      it('has no fields as text/plain', async () => {
        const browser = app.browser()
        const body = JSON.stringify({ csrfToken: await browser.csrf() })
        const answer = await browser.ask('/auth/session', { body, headers: { 'content-type': 'text/plain' } })
        expect([answer.status, answer.body.error]).to.deep.equal([403, 'MissingCSRF'])
      })

      it('is 400 if it is malformed, 415 in another charset', async () => {
        for (const [type, status] of [
          ['application/json', 400],
          ['application/json; charset=utf-16le', 415],
        ] as const) {
          const answer = await app.browser().ask('/auth/session', { body: '{"a":', headers: { 'content-type': type } })
          expect([answer.status, answer.body.error]).to.deep.equal([status, 'InvalidRequest'])
        }
      })

      it('DOS-03 has the limits of other bodies', async () => {
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        for (const body of ['a&'.repeat(10_000), 'x'.repeat(102_401)]) {
          const answer = await app.browser().ask('/auth/session', { body, headers: form })
          // The parser of the application has the same default limit, and rejects the second one first.
          expect(answer.status).to.be.oneOf(body.length > 102_400 ? [413, 500] : [413])
        }
      })
    })
  }

  it('that the application parsed may be as large as the application allows', async () => {
    const app = await startApp({}, { before: (on) => void on.use(express.json({ limit: '1mb' })) })
    const browser = app.browser()
    await browser.signIn()
    const json = { csrfToken: await browser.csrf(), data: 'x'.repeat(300_000) }
    const { status, body } = await browser.send('post', '/auth/session', { json })
    await app.close()
    expect([status, body.user?.name]).to.deep.equal([200, 'ann'])
  })

  it('of a GET is not parsed', async () => {
    const app = await startApp()
    const { status, body } = await request(app.origin).get('/auth/session').type('json').send('{')
    await app.close()
    expect([status, body]).to.deep.equal([200, null])
  })

  it('of a GET is not looked at', async () => {
    const app = await startApp({ providers: [op] })
    const { status, text } = await request(app.origin).get('/auth/signin').send({ callbackUrl: '/from-the-body' })
    await app.close()
    expect(status).to.equal(200)
    expect(text).to.include('name="callbackUrl"').and.to.not.include('from-the-body')
  })
})

describe('a body that cannot be read', () => {
  let browser: Browser
  const app = opened(() => startApp())
  beforeEach(() => {
    browser = app.browser()
  })

  const post = (type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const sent = request(app.origin).post('/auth/session').set('Cookie', browser.cookieHeader('/auth')).set(headers)
    return (type === '' ? sent.unset('Content-Type') : sent.set('Content-Type', type))
      .serialize((content: unknown) => content as string)
      .send(body as string)
      .ok(() => true)
  }

  for (const body of ['{', '{"a":}', 'nope', '"text"', '1', '[1', '{"a":1}}', '{"secret-word":', '\u0000']) {
    it(`is 400 as JSON: ${JSON.stringify(body)}`, async () => {
      const reply = await post('application/json', body)
      expect([reply.status, reply.body]).to.deep.equal([400, { error: 'InvalidRequest', message: unreadable }])
      expect(reply.headers['cache-control']).to.equal('private, no-cache, no-store')
    })
  }

  it('is 400 as text for users, and does not redirect them', async () => {
    const reply = await browser.send('post', '/auth/signin', {
      headers: { 'content-type': 'application/json', accept: 'text/html' },
    })
    expect(reply.status).to.equal(303)
    const bad = await request(app.origin)
      .post('/auth/signin')
      .type('json')
      .send('{"<script>":')
      .ok(() => true)
    expect([bad.status, bad.type, bad.text]).to.deep.equal([400, 'text/plain', `${unreadable}\n`])
  })

  it('DOS-03 is 400 with a broken compression, 415 with an unknown one', async () => {
    const broken = await post('application/json', '{"a":1}', { 'Content-Encoding': 'gzip' })
    expect([broken.status, broken.body]).to.deep.equal([400, { error: 'InvalidRequest', message: unreadable }])
    const unknown = await post('application/json', '{"a":1}', { 'Content-Encoding': 'zip' })
    expect([unknown.status, unknown.body]).to.deep.equal([415, { error: 'InvalidRequest', message: unreadable }])
  })

  for (const type of [
    'application/json; charset=utf-7',
    'application/json; charset=utf-16le',
    'application/json; charset=nonsense',
    'application/x-www-form-urlencoded; charset=utf-7',
  ]) {
    it(`HP-08 is 415 as ${type}`, async () => {
      const { status, body } = await post(type, '{}')
      expect([status, body]).to.deep.equal([415, { error: 'InvalidRequest', message: unreadable }])
    })
  }

  for (const type of [
    'text/plain',
    'application/json, text/plain',
    'application/vnd.api+json',
    'text/json',
    'json',
    '',
  ]) {
    it(`HP-08 has no fields as ${type || 'nothing'}`, async () => {
      const { status, body } = await post(type, JSON.stringify({ csrfToken: await browser.csrf() }))
      expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
    })
  }

  it('has no fields as multipart/form-data', async () => {
    const sent = request(app.origin).post('/auth/session')
    const csrfToken = await browser.csrf()
    const { status, body } = await sent
      .set('Cookie', browser.cookieHeader('/auth'))
      .field('csrfToken', csrfToken)
      .ok(() => true)
    expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
  })

  it('is read in any case of the right type', async () => {
    const { status, body } = await post(
      'Application/JSON; Charset=UTF-8',
      JSON.stringify({ csrfToken: await browser.csrf() }),
    )
    expect([status, body]).to.deep.equal([200, null])
  })

  it('takes the CSRF token from nowhere else', async () => {
    const csrfToken = await browser.csrf()
    const headers = { accept: 'application/json', 'x-csrf-token': csrfToken }
    const { status, body } = await browser.post(`/auth/session?csrfToken=${csrfToken}`, {}, headers)
    expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
  })

  it('takes no CSRF token that came twice', async () => {
    const csrfToken = await browser.csrf()
    const { status, body } = await post(
      'application/x-www-form-urlencoded',
      `csrfToken=${csrfToken}&csrfToken=${csrfToken}`,
    )
    expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
  })
})

describe('DOS-03 a body that is too large', () => {
  const app = opened(() => startApp())

  const session = 'POST /auth/session HTTP/1.1'

  it('is refused by its announced length, before it is sent', async () => {
    const lines = [session, 'Host: app.test', 'Content-Type: application/json', 'Content-Length: 10485760', '', '{"a"']
    const { status, headers, body } = await exchangeText(app.origin, lines.join('\r\n'))
    expect([status, headers.connection, headers['cache-control']]).to.deep.equal([
      413,
      'close',
      'private, no-cache, no-store',
    ])
    expect(JSON.parse(body)).to.deep.equal({ error: 'InvalidRequest', message: tooLarge })
  })

  it('may have exactly the allowed length', async () => {
    const browser = app.browser()
    const start = `{"csrfToken":"${await browser.csrf()}","data":"`
    const send = (length: number) =>
      request(app.origin)
        .post('/auth/session')
        .set('Cookie', browser.cookieHeader('/auth'))
        .type('json')
        .send(`${start}${'x'.repeat(length - start.length - 2)}"}`)
        .ok(() => true)
    const [fits, tooLong] = [await send(102_400), await send(102_401)]
    expect([fits.status, fits.body]).to.deep.equal([200, null])
    expect([tooLong.status, tooLong.body.message]).to.deep.equal([413, tooLarge])
  })

  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    it(`is refused while it is being uploaded without an end: ${type}`, async () => {
      const { status, headers, body, sent } = await uploadEndlessly(app.origin, session, [`Content-Type: ${type}`])
      expect([status, headers.connection]).to.deep.equal([413, 'close'])
      expect(JSON.parse(body)).to.deep.equal({ error: 'InvalidRequest', message: tooLarge })
      expect(sent).to.be.within(100 * 1024, 1024 * 1024)
    })
  }

  it('is not read to its end if its type is not supported', async () => {
    const { status, body, sent } = await uploadEndlessly(app.origin, session, [
      'Content-Type: text/plain',
      'Connection: close',
    ])
    expect([status, JSON.parse(body).error]).to.deep.equal([403, 'MissingCSRF'])
    expect(sent).to.be.below(1024 * 1024)
  })

  it('is refused on a route that takes no body either', async () => {
    const line = 'POST /auth/csrf HTTP/1.1'
    const { status, headers } = await uploadEndlessly(app.origin, line, ['Connection: close'])
    expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('is refused when it is only large after inflation', async () => {
    const bomb = gzipSync(`{"a":"${'a'.repeat(50 * 1024 * 1024)}"}`)
    expect(bomb.length).to.be.below(102_400)
    const { status, body } = await request(app.origin)
      .post('/auth/session')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((content: unknown) => content as string)
      .send(bomb as unknown as string)
      .ok(() => true)
    expect([status, body]).to.deep.equal([413, { error: 'InvalidRequest', message: tooLarge }])
  })

  it('is refused for the number of its fields', async () => {
    const { status, body } = await request(app.origin)
      .post('/auth/session')
      .type('form')
      .send('a&'.repeat(10_000))
      .ok(() => true)
    expect([status, body]).to.deep.equal([413, { error: 'InvalidRequest', message: tooLarge }])
  })
})

describe('a body with hostile content', () => {
  const received: Array<Record<string, unknown>> = []
  let app: TestApp
  let parsedBefore: TestApp
  before(async () => {
    const open = credentials({
      credentials: {},
      json: true,
      authorize: (fields) => {
        received.push(fields)
        return null
      },
    })
    const config: Partial<ServerAuthConfig> = {
      providers: [open, credentials({ id: 'typed' })],
      callbacks: {
        jwt: (params) => (params.trigger === 'update' ? { ...params.token, data: params.session } : params.token),
      },
    }
    app = await startApp(config)
    parsedBefore = await startApp(config, {
      before: (on) => void on.use(express.json(), express.urlencoded({ extended: true })),
    })
  })
  after(() => Promise.all([app.close(), parsedBefore.close()]))
  beforeEach(() => {
    received.length = 0
  })

  const polluting = (token: string) =>
    `{"csrfToken":"${token}","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"username":"ann"}`

  const postText = async (to: TestApp, path: string, text: (token: string) => string, browser = to.browser()) => {
    const token = await browser.csrf()
    return request(to.origin)
      .post(path)
      .set({ Cookie: browser.cookieHeader(path), Accept: 'application/json' })
      .type('json')
      .send(text(token))
      .ok(() => true)
  }

  for (const path of ['signin', 'signin/credentials', 'signout', 'session', 'callback/credentials']) {
    it(`PP-01 pollutes no prototype: POST ${path}`, async () => {
      for (const to of [app, parsedBefore]) {
        const { status } = await postText(to, `/auth/${path}`, polluting)
        expect(status).to.be.oneOf([200, 303, 401])
        expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined)
      }
    })
  }

  it('gives `authorize` own fields only', async () => {
    for (const to of [app, parsedBefore]) await postText(to, '/auth/callback/credentials', polluting)
    expect(received).to.have.lengthOf(2)
    for (const fields of received) {
      expect(Object.getPrototypeOf(fields)).to.equal(null)
      expect(fields.isAdmin).to.equal(undefined)
      expect(fields.username).to.equal('ann')
      expect(Object.keys(fields)).to.not.include('csrfToken')
    }
  })

  it('PP-02 pollutes no prototype by the names of form fields', async () => {
    for (const to of [app, parsedBefore]) {
      const browser = to.browser()
      const fields = { '__proto__[isAdmin]': '1', 'constructor[prototype][isAdmin]': '1', 'csrfToken[__proto__]': '1' }
      const { status } = await browser.submit('/auth/callback/credentials', fields, { accept: 'application/json' })
      expect(status).to.be.oneOf([401, 403])
      expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined)
    }
  })

  it('DOS-04 may be nested deeply: a clean answer, and the session stays', async () => {
    const browser = app.browser()
    await browser.submit('/auth/callback/typed', { username: 'ann', password: 'right' })
    const deep = (token: string) => `{"csrfToken":"${token}","data":${'['.repeat(4900)}${']'.repeat(4900)}}`
    const { status, body } = await postText(app, '/auth/session', deep, browser)
    expect([status, body.error]).to.deep.equal([400, 'InvalidRequest'])
    expect(JSON.stringify(body)).to.not.include('stack')
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
  })

  it('may be nested deeply in a credential', async () => {
    const deep = (token: string) => `{"csrfToken":"${token}","password":${'['.repeat(4900)}${']'.repeat(4900)}}`
    const { status, body } = await postText(app, '/auth/callback/credentials', deep)
    expect([status, body.error]).to.deep.equal([400, 'InvalidRequest'])
    expect(received).to.have.lengthOf(0)
  })

  it('DOS-04 may have many keys', async () => {
    const keys = Array.from({ length: 1900 }, (_, at) => `"k${at}":1`).join()
    const { status, body } = await postText(
      app,
      '/auth/callback/credentials',
      (token) => `{"csrfToken":"${token}",${keys}}`,
    )
    expect([status, body.error]).to.deep.equal([401, 'CredentialsSignin'])
    expect(Object.keys(received[0] ?? {})).to.have.lengthOf(1900)
  })

  it('DOS-04 may have brackets without an end', async () => {
    const { status } = await app
      .browser()
      .submit('/auth/callback/credentials', { [`a${'[]'.repeat(10_000)}`]: '1' }, { accept: 'application/json' })
    expect(status).to.equal(401)
  })
})

/** The server has seen that the client is gone. `once` of `node:events` would reject at the parser's error. */
function closed([socket]: [Socket]): Promise<unknown> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve))
}

describe('DOS-05 a client that goes away', () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  let app: TestApp
  let release = () => {}
  let asked = Promise.resolve()

  before(async () => {
    let ask = () => {}
    asked = new Promise((resolve) => {
      ask = resolve
    })
    const slow = credentials({
      id: 'slow',
      authorize: () => {
        ask()
        return new Promise((resolve) => {
          release = () => resolve(null)
        })
      },
    })
    app = await startApp({ providers: [credentials(), slow] })
  })
  after(() => app.close())
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => void process.off('unhandledRejection', note))

  const unfinished: ReadonlyArray<[name: string, lines: string[]]> = [
    ['in the middle of a body', ['Content-Type: application/json', 'Content-Length: 1000', '', '{"a":']],
    ['in the middle of a form', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 1000', '', 'a=']],
    [
      'in the middle of a chunked body',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked', '', '9\r\n{"a":'],
    ],
    ['before its body', ['Content-Type: application/json', 'Content-Length: 1000', '', '']],
    ['in the middle of its headers', ['Content-Type: application/j']],
  ]

  for (const [name, lines] of unfinished) {
    it(`${name} does no harm`, async () => {
      const connected = once(app.server, 'connection') as Promise<[Socket]>
      const gone = abandon(app.origin, ['POST /auth/session HTTP/1.1', 'Host: app.test', ...lines].join('\r\n'))
      await closed(await connected)
      await gone
      expect(await app.browser().session()).to.equal(null)
      expect(rejections).to.deep.equal([])
      expect(app.log.errors).to.deep.equal([])
    })
  }

  it('while the application checks its password does no harm', async () => {
    const browser = app.browser()
    const body = `csrfToken=${await browser.csrf()}&username=ann`
    const lines = [
      'POST /auth/callback/slow HTTP/1.1',
      'Host: app.test',
      `Cookie: ${browser.cookieHeader('/auth')}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      '',
      body,
    ]
    const connected = once(app.server, 'connection') as Promise<[Socket]>
    const gone = abandon(app.origin, lines.join('\r\n'), asked)
    await closed(await connected)
    await gone
    release()
    expect(await app.browser().session()).to.equal(null)
    expect(rejections).to.deep.equal([])
  })
})
