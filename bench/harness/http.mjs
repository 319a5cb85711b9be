/**
 * A small HTTP/1.1 client over one TCP connection. It is much lighter than `node:http`, so that the load needs less of the
 * machine than the server that is measured.
 */
import { connect } from 'node:net'

/** One connection: a request, its answer, the next request. */
export class Connection {
  #socket
  #received = ''
  #waiting

  constructor(port) {
    this.port = port
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    this.#socket.on('data', (chunk) => this.#receive(chunk))
    this.#socket.unref()
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
  }

  /** Sends the text of a request; resolves to its answer. */
  send(text) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(text, 'latin1')
    })
  }

  close() {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #receive(chunk) {
    this.#received += chunk
    const answer = readAnswer(this.#received)
    if (!answer) return
    this.#received = ''
    const { resolve } = this.#waiting
    this.#waiting = undefined
    resolve(answer)
  }
}

/** The answer in what was received; `undefined` while a part of it is missing. */
function readAnswer(received) {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const status = Number(head.slice(9, 12))
  const body = received.slice(end + 4)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return body.length >= Number(length) ? { status, head, body } : undefined
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    return body.endsWith('0\r\n\r\n') ? { status, head, body: withoutChunks(body) } : undefined
  }
  return { status, head, body: '' }
}

function withoutChunks(body) {
  let text = ''
  let at = 0
  for (;;) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!size) return text
    text += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}

/** Returns the text of a request. */
export function write(port, { method = 'GET', path = '/guarded', cookie, headers = {}, body }) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]
  if (cookie) lines.push(`Cookie: ${cookie}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Headers that Node.js writes by itself. */
const automatic = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** Sends one request; resolves to its answer with `headers` as Express's `res.set` takes them. */
export async function answerOf({ port }, message) {
  const connection = new Connection(port)
  const { status, head, body } = await connection.send(write(port, message))
  connection.close()
  const headers = {}
  for (const [, name, value] of head.matchAll(/^([\w-]+): *(.*?)\r?$/gm)) {
    const key = name.toLowerCase()
    if (key === 'set-cookie') headers[key] = [...(headers[key] ?? []), value]
    else if (!automatic.has(key)) headers[key] = value
  }
  return { status, headers, body }
}

/** A browser at one server: it keeps cookies, and follows no redirect. */
export class Browser {
  #cookies = new Map()
  #connection

  constructor(connection) {
    this.#connection = connection
  }

  /** Sends a request with the cookies of the browser, unless the message has its own; resolves to the answer. */
  async request(message) {
    const answer = await this.#connection.send(
      write(this.#connection.port, { cookie: this.cookieHeader(), ...message }),
    )
    for (const [, name, value] of answer.head.matchAll(/^set-cookie: *([^=;]+)=([^;\r]*)/gim)) {
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return { ...answer, location: /^location: *(.+?)\r?$/im.exec(answer.head)?.[1] }
  }

  cookieHeader() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}
