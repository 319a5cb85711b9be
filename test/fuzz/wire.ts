/** A client that sends bytes over a socket, and reads an answer more strictly than any client does. */
import { connect } from 'node:net'

/** An answer, as it was received. */
export interface WireAnswer {
  readonly status: number
  /** Names in lower case, in the order in which they were received. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
}

/** The error for an answer that did not arrive completely in time. */
export class TooSlow extends Error {}

/**
 * Sends bytes and reads until the server closes.
 *
 * @param patience Milliseconds, as {@link afterOwnTime} counts them.
 * @param silence Milliseconds without a byte from there after which the client ends its message: a server that waits
 *   for more learns that none follows. Node drops the answer on which it is working then.
 * @throws {@link TooSlow}
 */
export function exchange(port: number, bytes: Buffer, patience: number, silence?: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' })
    const stop = afterOwnTime(patience, () => {
      reject(new TooSlow(`no answer within ${patience} ms`))
      socket.destroy()
    })
    let quiet: NodeJS.Timeout | undefined
    const listen = () => {
      clearTimeout(quiet)
      if (silence !== undefined) quiet = setTimeout(() => socket.end(), silence)
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      listen()
    })
    // A server that has heard enough closes while the rest is still on its way.
    socket.on('error', () => {})
    socket.on('close', () => {
      stop()
      clearTimeout(quiet)
      resolve(Buffer.concat(chunks))
    })
    socket.write(bytes)
    listen()
  })
}

/** Milliseconds between two reads of the clock. */
const step = 10

/**
 * Calls back after this number of milliseconds in which this process waited or worked. Time in which the machine works
 * for other processes is not counted, because no answer is possible then.
 *
 * @returns A function that stops it.
 */
export function afterOwnTime(milliseconds: number, callBack: () => void): () => void {
  let [at, usage, spent] = [performance.now(), process.cpuUsage(), 0]
  const timer = setInterval(() => {
    const [now, used] = [performance.now(), process.cpuUsage()]
    const worked = (used.user - usage.user + used.system - usage.system) / 1000
    spent += Math.min(now - at, Math.max(step, worked))
    ;[at, usage] = [now, used]
    if (spent < milliseconds) return
    clearInterval(timer)
    callBack()
  }, step)
  return () => clearInterval(timer)
}

/**
 * A message that a client sends. Text of the headers is sent as bytes: characters that are no byte are encoded as
 * UTF-8.
 */
export interface Message {
  readonly method?: string
  readonly target: string
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string | Buffer
}

/** Returns the bytes of a message, with its length and `Connection: close`. */
export function toBytes({ method = 'GET', target, headers = [], body }: Message): Buffer {
  const content = body === undefined ? undefined : Buffer.from(body)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(content ? [`content-length: ${content.length}`] : []),
    'connection: close',
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content ?? Buffer.alloc(0)])
}

/**
 * Parses a stream of answers. @throws Error for anything that is not exactly a sequence of answers: a line that is no
 * header, a byte that is not allowed in a header, more bytes than were announced.
 */
export function parseAnswers(bytes: Buffer, method = 'GET'): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '') {
    const { answer, length } = parseOne(rest, method)
    // An interim answer (RFC 9110 §15.2) is followed by the answer itself.
    if (answer.status >= 200) answers.push(answer)
    rest = rest.slice(length)
  }
  return answers
}

function parseOne(text: string, method: string): { answer: WireAnswer; length: number } {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) throw new Error(`the answer has no head: ${JSON.stringify(text.slice(0, 200))}`)
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(first)?.[1])
  if (!status) throw new Error(`no status line: ${JSON.stringify(first)}`)
  const headers = lines.map((line) => {
    const parts = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/.exec(line)
    if (!parts) throw new Error(`no header: ${JSON.stringify(line)}`)
    return [(parts[1] ?? '').toLowerCase(), parts[2] ?? ''] as const
  })
  const start = end + 4
  const valuesOf = (name: string) => headers.filter((header) => header[0] === name).map(([, value]) => value)
  const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
  if (!hasBody) return { answer: { status, headers, body: '' }, length: start }
  if (valuesOf('transfer-encoding').includes('chunked')) {
    const { body, length } = dechunk(text.slice(start))
    return { answer: { status, headers, body }, length: start + length }
  }
  const [announced] = valuesOf('content-length')
  const length = announced === undefined ? text.length - start : Number(announced)
  if (text.length < start + length) throw new Error(`the body broke off after ${text.length - start} of ${length}`)
  return { answer: { status, headers, body: text.slice(start, start + length) }, length: start + length }
}

/** Decodes chunked coding (RFC 9112 §7.1), without trailers, because we send none. */
function dechunk(text: string): { body: string; length: number } {
  let body = ''
  for (let at = 0; ; ) {
    const size = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20))
    if (!size) throw new Error(`no chunk: ${JSON.stringify(text.slice(at, at + 40))}`)
    const length = Number.parseInt(size[1] ?? '', 16)
    at += size[0].length
    body += text.slice(at, at + length)
    at += length
    if (text.slice(at, at + 2) !== '\r\n') throw new Error('a chunk does not end where it says')
    at += 2
    if (length === 0) return { body, length: at }
  }
}

/** Returns all values of a header. */
export function headerValues({ headers }: WireAnswer, name: string): string[] {
  return headers.filter((header) => header[0] === name).map(([, value]) => value)
}

/** The cookies of a browser without scripts. It keeps `Secure` cookies on http too. */
export class Jar {
  readonly cookies = new Map<string, string>()

  /** Returns the `Cookie` header, if there is one. */
  header(): Array<[string, string]> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length === 0 ? [] : [['cookie', pairs.join('; ')]]
  }

  keep(answer: WireAnswer): void {
    for (const line of headerValues(answer, 'set-cookie')) {
      const [pair = ''] = line.split('; ')
      const at = pair.indexOf('=')
      if (/; Max-Age=0(?:;|$)/.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
}

/**
 * Sends bytes, and disconnects after a number of milliseconds, whether the message was complete or not, and whatever
 * was answered.
 */
export function giveUp(port: number, bytes: Buffer, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.resume()
    socket.write(bytes)
    setTimeout(() => socket.resetAndDestroy(), milliseconds)
  })
}
