/**
 * Clients that disconnect while they send a request, or while they wait for its answer. Nothing may hang because of
 * them.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { AuthError } from '../../lib/errors.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { gate } from '../sign-in/linking-stage.js'
import { credentials, startApp, type TestApp } from '../support/app.js'

const crowd = 20

describe('DOS-09 clients that disconnect', () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  const signedIn: string[] = []
  const failures: string[] = []
  let app: TestApp
  let requests: Array<WeakRef<IncomingMessage>>
  let closed: number

  async function open(config: Partial<ServerAuthConfig> = {}): Promise<void> {
    app = await startApp({
      events: {
        signIn: ({ user }) => void signedIn.push(String(user.name)),
        failure: ({ type }) => void failures.push(type),
      },
      ...config,
    })
    closed = 0
    requests = []
    app.server.on('connection', (socket: Socket) => socket.on('close', () => (closed += 1)))
  }

  beforeEach(() => {
    for (const list of [rejections, signedIn, failures]) list.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    process.off('unhandledRejection', note)
    await app.close()
    expect(rejections, 'unhandled rejections').to.deep.equal([])
  })

  /** Records requests from now on. A request that stays in memory after its client has disconnected never came to an end. */
  const watch = () => app.server.on('request', (request: IncomingMessage) => requests.push(new WeakRef(request)))

  /** Sends some bytes of a request. */
  async function begin(text: string): Promise<Socket> {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }

  async function until(what: string, isSo: () => boolean): Promise<void> {
    for (let at = 0; at < 300; at += 1) {
      if (isSo()) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`it did not come to this: ${what}`)
  }

  async function expectNothingHangs(count: number): Promise<void> {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    await until('nothing holds the requests', () => {
      collect()
      // The server's parser keeps the last one that it was used for.
      return requests.filter((each) => each.deref() !== undefined).length <= 1
    })
    expect(requests).to.have.length(count)
  }

  /** Returns a form with a CSRF token, as a client sends it. */
  async function signInOf(username: string, { whole = true } = {}): Promise<string> {
    const browser = app.browser()
    const fields = { csrfToken: await browser.csrf(), username, password: 'right' }
    const body = new URLSearchParams(fields).toString()
    const head = [
      'POST /auth/callback/credentials HTTP/1.1',
      'Host: 127.0.0.1',
      `Cookie: ${browser.cookieHeader('/auth')}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${whole ? body : body.slice(0, -3)}`
  }

  it('in the middle of a body sign no user in', async () => {
    await open()
    const texts = await Promise.all(Array.from({ length: crowd }, (_, at) => signInOf(`p${at}`, { whole: false })))
    const chunked = texts[0]
      ?.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
      .replace(/[^\n]*$/, '9\r\ncsrfT')
    watch()
    const before = closed
    const sockets = await Promise.all([...texts, chunked ?? ''].map(begin))
    await until('all have come', () => requests.length === crowd + 1)
    for (const socket of sockets) socket.destroy()
    await until('all are gone', () => closed - before >= crowd + 1)
    await expectNothingHangs(crowd + 1)
    expect([signedIn, app.log.errors]).to.deep.equal([[], []])
    await app.browser().signIn({ username: 'next' })
    expect(signedIn).to.deep.equal(['next'])
  })

  for (const strategy of ['jwt', 'database'] as const) {
    it(`while \`authorize\` is pending: its user is signed in and the event is emitted, ${strategy}`, async () => {
      const { opened, open: goOn } = gate()
      let waiting = 0
      const provider = credentials({
        async authorize({ username }) {
          waiting += 1
          await opened
          return { id: String(username), name: String(username), email: `${username}@example.com` }
        },
      })
      await open({ adapter: memoryAdapter(), session: { strategy }, providers: [provider] })
      const texts = await Promise.all(Array.from({ length: crowd }, (_, at) => signInOf(`p${at}`)))
      watch()
      const before = closed
      const sockets = await Promise.all(texts.map(begin))
      await until('all wait', () => waiting === crowd)
      for (const socket of sockets) socket.destroy()
      await until('all are gone', () => closed - before >= crowd)
      goOn()
      await until('all are told of', () => signedIn.length === crowd)
      await expectNothingHangs(crowd)
      expect([failures, app.log.errors]).to.deep.equal([[], []])
    })
  }

  it('while `authorize` never answers leave nothing behind after its time-out', async () => {
    let waiting = 0
    const authorize = () => {
      waiting += 1
      return new Promise<never>(() => {})
    }
    await open({ providers: [credentials({ authorize })], timeout: 0.3 })
    const texts = await Promise.all(Array.from({ length: crowd }, (_, at) => signInOf(`p${at}`)))
    watch()
    const sockets = await Promise.all(texts.map(begin))
    await until('all wait', () => waiting === crowd)
    for (const socket of sockets) socket.destroy()
    await until('all are told of', () => failures.length === crowd)
    await expectNothingHangs(crowd)
    expect(new Set(app.log.errors.map((error) => (error as AuthError).type))).to.deep.equal(
      new Set(['CallbackRouteError']),
    )
    expect(signedIn).to.deep.equal([])
  })
})
