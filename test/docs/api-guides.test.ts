/** Guides about devices, sockets, streams and APIs: started as they say, and used over HTTP. Needs `npm run build`. */
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { io, type Socket } from 'socket.io-client'
import request from 'supertest'
import { WebSocket } from 'ws'
import { compile, filesIn, type RunningProgram, remove, start, unpack, write } from './guide-code.js'

type Browser = ReturnType<typeof request.agent>

/** A signed-in user: as a browser, and as the `Cookie` header of a client that stores no cookies. */
interface Person {
  readonly browser: Browser
  readonly cookie: string
}

async function signIn(app: RunningProgram, email: string, userAgent = '', base = '/auth'): Promise<Person> {
  const browser = request.agent(app.origin).set('User-Agent', userAgent)
  const { csrfToken } = (await browser.get(`${base}/csrf`).expect(200)).body
  const form = { csrfToken, email, password: 'demo' }
  const response = await browser.post(`${base}/callback/credentials`).type('form').send(form).expect(303)
  const cookie = response.get('Set-Cookie')?.find((each) => each.startsWith('auth.session-token='))
  return { browser, cookie: cookie?.split(';')[0] ?? '' }
}

async function signOut(browser: Browser, base = '/auth'): Promise<void> {
  const { csrfToken } = (await browser.get(`${base}/csrf`).expect(200)).body
  await browser.post(`${base}/signout`).type('form').send({ csrfToken }).expect(303)
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

/** The connections of the guide end within 15 seconds, and some for the check itself. */
const within = 25_000

describe('the guide to WebSockets and event streams', function () {
  this.timeout(90_000)
  this.slow(40_000)
  const folder = unpack('guides/websockets.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'app.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  function connect(cookie: string, origin = app.origin): WebSocket {
    return new WebSocket(app.origin.replace('http', 'ws'), { headers: { cookie, origin } })
  }

  it('compiles, strictly', () => compile(folder))

  it('knows who is connected, and closes the socket and the stream when they sign out', async () => {
    const { browser, cookie } = await signIn(app, 'ann@example.com')
    const headers = { cookie }
    expect((await fetch(`${app.origin}/events`)).status).to.equal(401)
    const stream = await fetch(`${app.origin}/events`, { headers })
    expect(stream.headers.get('content-type')).to.equal('text/event-stream')
    const text = stream.text()
    const socket = connect(cookie)
    expect(await echoOf(socket)).to.equal('ann@example.com: hello')
    const closed = once(socket, 'close')
    const signedOutAt = performance.now()
    await signOut(browser)
    expect((await closed).map(String)).to.deep.equal(['4401', 'ended'])
    expect(await text).to.match(/^event: hello\ndata: {"name":"ann@example.com"}\n\n[\s\S]*event: signed-out\n/)
    expect(performance.now() - signedOutAt).to.be.below(within)
    expect((await fetch(`${app.origin}/events`, { headers })).status).to.equal(401)
  })

  it('rejects visitors, and pages of other sites', async () => {
    const { cookie } = await signIn(app, 'ann@example.com')
    expect(await refusalOf(connect(''))).to.contain('401')
    expect(await refusalOf(connect(cookie, 'https://evil.example'))).to.contain('403')
    expect(await refusalOf(connect(cookie, 'null'))).to.contain('403')
  })

  it('does the same with Hono', async () => {
    const hono = await start(folder, 'hono.ts')
    const { browser, cookie } = await signIn(hono, 'ann@example.com', '', '/api/auth')
    const open = (origin: string, headers: Record<string, string> = { cookie }) =>
      new WebSocket(`${hono.origin.replace('http', 'ws')}/socket`, { headers: { ...headers, origin } })
    try {
      const socket = open(hono.origin)
      expect(await echoOf(socket)).to.equal('ann@example.com: hello')
      expect(await refusalOf(open('https://evil.example'))).to.contain('403')
      expect(await refusalOf(open(hono.origin, {}))).to.contain('401')
      const closed = once(socket, 'close')
      await signOut(browser, '/api/auth')
      expect((await closed)[0]).to.equal(4401)
    } finally {
      await hono.close()
    }
  })

  it('does the same with socket.io', async () => {
    const main = filesIn('guides/websockets.md').get('app.ts') ?? ''
    write(
      folder,
      'io-app.ts',
      main
        .replace("{ acceptSockets } from './sockets.js'", "{ acceptRooms } from './io.js'")
        .replace('acceptSockets(server)', 'acceptRooms(server)'),
    )
    const rooms = await start(folder, 'io-app.ts')
    const { browser, cookie } = await signIn(rooms, 'ann@example.com')
    const open = (headers: Record<string, string>, transports = ['websocket']) =>
      io(rooms.origin, { path: '/rooms', extraHeaders: headers, transports, reconnection: false, forceNew: true })
    const faultOf = (socket: Socket) =>
      new Promise<string>((resolve) => socket.once('connect_error', ({ message }) => resolve(message)))
    try {
      const socket = open({ cookie, origin: rooms.origin })
      const said = new Promise((resolve) => socket.once('said', resolve))
      socket.emit('say', 'hello')
      expect(await said).to.equal('ann@example.com: hello')
      expect(await faultOf(open({ origin: rooms.origin }))).to.equal('Sign in first.')
      for (const transport of ['websocket', 'polling'])
        expect(await faultOf(open({ cookie, origin: 'https://evil.example' }, [transport]))).to.match(/error/)
      const closed = new Promise((resolve) => socket.once('disconnect', resolve))
      await signOut(browser)
      expect(await closed).to.equal('io server disconnect')
    } finally {
      await rooms.close()
    }
  })
})

/** Sends a message. Returns the answer. */
async function echoOf(socket: WebSocket): Promise<string> {
  await once(socket, 'open')
  socket.send('hello')
  const [message] = await once(socket, 'message')
  return String(message)
}

/** Returns the error with which a socket was rejected. */
async function refusalOf(socket: WebSocket): Promise<string> {
  const [error] = await once(socket, 'error')
  return String(error)
}
