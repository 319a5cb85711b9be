/** Guides about devices, sockets, streams and APIs: started as they say, and used over HTTP. Needs `npm run build`. */
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { WebSocket } from 'ws'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

type Browser = ReturnType<typeof request.agent>

/** A signed-in user: as a browser, and as the `Cookie` header of a client that stores no cookies. */
interface Person {
  readonly browser: Browser
  readonly cookie: string
}

async function signIn(app: RunningProgram, email: string, userAgent = ''): Promise<Person> {
  const browser = request.agent(app.origin).set('User-Agent', userAgent)
  const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
  const form = { csrfToken, email, password: 'demo' }
  const response = await browser.post('/auth/callback/credentials').type('form').send(form).expect(303)
  const cookie = response.get('Set-Cookie')?.find((each) => each.startsWith('auth.session-token='))
  return { browser, cookie: cookie?.split(';')[0] ?? '' }
}

async function signOut(browser: Browser): Promise<void> {
  const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
  await browser.post('/auth/signout').type('form').send({ csrfToken }).expect(303)
}

describe('the guide to devices', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/devices.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'app.ts', { DATABASE_URL: `sqlite:${join(folder, 'app.db')}` })
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('lists the sessions of a user, and ends them from another device', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const { browser: laptop } = await signIn(app, 'ann@example.com', firefox)
    const { browser: phone } = await signIn(app, 'ann@example.com')
    const { browser: other } = await signIn(app, 'bob@example.com')
    const page = (await laptop.get('/devices').expect(200)).text
    expect(page.match(/<li>/g)).to.have.length(2)
    expect(page).to.match(/Firefox on Linux, since \w+ \d+, \d+, this one/)
    const [, csrfToken = ''] = /name="csrfToken" value="([^"]+)"/.exec(page) ?? []
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(page) ?? []

    await laptop.post('/devices/end').type('form').send({ id }).expect(403)
    const stranger = (await other.get('/auth/csrf')).body.csrfToken
    await other.post('/devices/end').type('form').send({ id, csrfToken: stranger }).expect(303)
    await phone.get('/devices').expect(200)
    await laptop.post('/devices/end').type('form').send({ id, csrfToken }).expect(303)
    await phone.get('/devices').set('Accept', 'application/json').expect(401)

    const { browser: tablet } = await signIn(app, 'ann@example.com')
    await laptop.post('/devices/end-others').type('form').send({ csrfToken }).expect(303)
    await tablet.get('/devices').set('Accept', 'application/json').expect(401)
    await laptop.get('/devices').expect(200)
    await other.get('/devices').expect(200)
  })
})

describe('the guide to WebSockets and event streams', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/websockets.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'app.ts', { WATCH_SECONDS: '0.1' })
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  function connect(cookie: string, origin = app.origin): WebSocket {
    return new WebSocket(app.origin.replace('http', 'ws'), { headers: { cookie, origin } })
  }

  /** Returns the status with which a socket was rejected. */
  async function refusalOf(socket: WebSocket): Promise<unknown> {
    const [error] = await once(socket, 'error')
    return error
  }

  it('compiles, strictly', () => compile(folder))

  it('knows who is connected, and closes the socket when they sign out', async () => {
    const { browser, cookie } = await signIn(app, 'ann@example.com')
    const socket = connect(cookie)
    await once(socket, 'open')
    socket.send('hello')
    const [message] = await once(socket, 'message')
    expect(String(message)).to.equal('ann@example.com: hello')
    const closed = once(socket, 'close')
    await signOut(browser)
    expect((await closed)[0]).to.equal(4401)
  })

  it('rejects visitors, and pages of other sites', async () => {
    const { cookie } = await signIn(app, 'ann@example.com')
    expect(String(await refusalOf(connect('')))).to.contain('401')
    expect(String(await refusalOf(connect(cookie, 'https://evil.example')))).to.contain('403')
    expect(String(await refusalOf(connect(cookie, 'null')))).to.contain('403')
  })

  it('ends a stream with its session', async () => {
    const { browser, cookie } = await signIn(app, 'ann@example.com')
    const headers = { cookie }
    expect((await fetch(`${app.origin}/events`)).status).to.equal(401)
    const stream = await fetch(`${app.origin}/events`, { headers })
    expect(stream.headers.get('content-type')).to.equal('text/event-stream')
    const text = stream.text()
    await signOut(browser)
    expect(await text).to.match(/^event: hello\ndata: {"name":"ann@example.com"}\n\n[\s\S]*event: signed-out\n/)
    expect((await fetch(`${app.origin}/events`, { headers })).status).to.equal(401)
  })
})
