/** The helpers of the tests of the Router: a provider that needs no network, raw sockets, the environment. */
import { connect } from 'node:net'
import type { OAuthConfig } from '../../lib/index.js'

/** An OAuth provider whose sign-in starts without a request to it. */
export const op: OAuthConfig<Record<string, unknown>> = {
  id: 'op',
  name: 'OP',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'secret-of-the-client',
  authorization: 'https://op.example/authorize',
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}

/** An answer, as it came over the wire. */
export interface RawReply {
  readonly status: number
  /** The headers by lower-case name. Several are joined with a line break. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends text as it is, and reads the answer until the server closes. `Host` and `Connection: close` are added. */
export function exchange(origin: string, requestLine: string, headers: readonly string[] = []): Promise<RawReply> {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: app.test']
  return exchangeText(origin, [requestLine, ...host, ...headers, 'Connection: close', '', ''].join('\r\n'))
}

/** Sends exactly this text, and then these bytes. */
export function exchangeText(origin: string, text: string, bytes: readonly Buffer[] = []): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = open(origin, () => {
      socket.write(text)
      for (const part of bytes) socket.write(part)
    })
    socket.on('data', (data) => {
      received += data
    })
    socket.on('close', () => resolve(toReply(received)))
    socket.on('error', reject)
  })
}

/** Uploads without an end, until the server answers. */
export function uploadEndlessly(
  origin: string,
  requestLine: string,
  headers: readonly string[] = [],
): Promise<RawReply & { readonly sent: number }> {
  return new Promise((resolve) => {
    const piece = 'a'.repeat(8192)
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`
    let sent = 0
    let received = ''
    const socket = open(origin, () => {
      socket.write([requestLine, 'Host: app.test', 'Transfer-Encoding: chunked', ...headers, '', ''].join('\r\n'))
      send()
    })
    // Gives the server its turn after each chunk, so that what was sent says how soon it answered.
    const send = () => {
      if (received !== '' || socket.destroyed) return
      sent += piece.length
      socket.write(chunk, () => setImmediate(send))
    }
    socket.on('data', (data) => {
      received += data
    })
    // The server closes while we still send.
    socket.on('error', () => {})
    socket.on('close', () => resolve({ ...toReply(received), sent }))
  })
}

/** Sends the beginning of a request and disconnects: immediately, or once `until` is fulfilled. */
export function abandon(origin: string, text: string, until: Promise<unknown> = Promise.resolve()): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(origin, () => socket.write(text, () => void until.then(() => socket.destroy())))
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

/** Sets environment variables for the suite around the call, and puts them back after it. `undefined` removes one. */
export function useEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  const saved = new Map<string, string | undefined>()
  before(() => {
    for (const [name, value] of Object.entries(variables)) {
      saved.set(name, process.env[name])
      assign(name, value)
    }
  })
  after(() => {
    for (const [name, value] of saved) assign(name, value)
  })
}

function assign(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function open(origin: string, connected: () => void) {
  return connect(Number(new URL(origin).port), '127.0.0.1', connected)
}

function toReply(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    const value = line.slice(line.indexOf(':') + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) }
}
