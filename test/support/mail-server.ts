/**
 * A real mail server on loopback, for tests: keeps what it receives, and can be slow, refuse, break off or be down.
 *
 * ```ts
 * const server = await startMailServer()
 * Email({ server: server.url, from: 'Example <hello@example.com>' })
 * const { to, parsed } = await server.next()
 * await browser.get(linkIn(parsed))
 * ```
 */
import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { tellFields } from './log-watch.js'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  /** The arguments of the client's `RCPT TO`, letter by letter, once for each recipient. */
  readonly to: readonly string[]
  /** The argument of the client's `MAIL FROM`. */
  readonly from: string
  readonly raw: string
  readonly parsed: ParsedMail
}

/**
 * The behaviour of the server: take the mail; be silent from the start; hold the mail until `release()`; refuse the
 * recipient, and repeat the address; end the connection in the middle.
 */
export type Mood = 'takes' | 'silent' | 'holds' | 'refuses' | 'breaks'

export interface MailServer {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** All mails since the start, or the last `reset()`. */
  readonly mails: ReceivedMail[]
  mood: Mood
  /** The number of clients that have connected. */
  readonly connections: number
  /** Returns the next mail that no test took yet; waits some seconds for it. One call at a time. */
  next(): Promise<ReceivedMail>
  /** Waits until a client is being held. */
  held(): Promise<void>
  /** Releases the clients that are held. */
  release(): void
  /** Takes mail, and has none. */
  reset(): void
  /** Goes down; clients are refused. */
  stop(): Promise<void>
  /** Comes back on the same port. */
  start(): Promise<void>
}

/** Starts a mail server on a free port. Call `stop()` at the end. */
export async function startMailServer(): Promise<MailServer> {
  const server = new LoopbackMailServer()
  await server.start()
  return server
}

class LoopbackMailServer implements MailServer {
  readonly mails: ReceivedMail[] = []
  mood: Mood = 'takes'
  port = 0
  connections = 0
  /** The commands of each client. */
  readonly #sockets = new Map<Socket, string>()
  #server: SMTPServer | undefined
  #taken = 0
  readonly #waiting: Array<() => void> = []
  readonly #onHeld: Array<() => void> = []
  #holding: Array<() => void> = []

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const server = this.#create()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.port, '127.0.0.1', resolve)
    })
    this.port = (server.server.address() as AddressInfo).port
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.release()
    for (const socket of this.#sockets.keys()) socket.destroy()
    if (server) await new Promise<void>((resolve) => server.close(resolve))
  }

  async next(): Promise<ReceivedMail> {
    if (this.#taken >= this.mails.length) await this.#arrival()
    const mail = this.mails[this.#taken]
    this.#taken += 1
    if (!mail) throw new Error('there is no mail')
    return mail
  }

  async held(): Promise<void> {
    while (this.#holding.length === 0) await new Promise<void>((resolve) => this.#onHeld.push(resolve))
  }

  release(): void {
    for (const goOn of this.#holding.splice(0)) goOn()
  }

  reset(): void {
    this.mood = 'takes'
    this.release()
    this.mails.length = 0
    this.#waiting.length = 0
    this.#taken = 0
    this.connections = 0
  }

  #create(): SMTPServer {
    const server = new SMTPServer({
      logger: false,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onConnect: (_session, goOn) => {
        this.connections += 1
        if (this.mood === 'silent') this.#hold(goOn)
        else goOn()
      },
      onRcptTo: ({ address }, _session, goOn) => {
        if (this.mood === 'breaks') for (const socket of this.#sockets.keys()) socket.destroy()
        else if (this.mood === 'holds') this.#hold(goOn)
        else goOn(this.mood === 'refuses' ? new Error(`<${address}>: no such mailbox`) : undefined)
      },
      onData: (stream, { remotePort }, goOn) => {
        this.#receive(stream, remotePort).then(
          () => goOn(),
          (error: Error) => goOn(error),
        )
      },
    })
    server.on('error', () => {
      // Connections that break off are what some tests are about.
    })
    server.server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, '')
      socket.on('data', (chunk) => this.#sockets.set(socket, `${this.#sockets.get(socket)}${chunk.toString('latin1')}`))
      socket.on('close', () => this.#sockets.delete(socket))
    })
    return server
  }

  #arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no mail came')), 30_000)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #hold(goOn: () => void): void {
    this.#holding.push(() => goOn())
    for (const resolve of this.#onHeld.splice(0)) resolve()
  }

  async #receive(stream: AsyncIterable<Buffer>, port: number): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    // The library shows domains as people read them: what was said is only here.
    const [said = ''] = [...this.#sockets].flatMap(([{ remotePort }, text]) => (remotePort === port ? [text] : []))
    const [commands = ''] = said.split(/^DATA\r\n/m)
    const after = (command: RegExp) => [...commands.matchAll(command)].map(([, address = '']) => address)
    this.mails.push({
      to: after(/^RCPT TO:<(.*)>.*\r\n/gm),
      from: after(/^MAIL FROM:<(.*?)>.*\r\n/gm).join(),
      raw: raw.toString('latin1'),
      parsed: await simpleParser(raw),
    })
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

/** The link of a mail's text part. */
export function linkIn({ text }: Pick<ParsedMail, 'text'>): string {
  const [link] = text?.match(/https?:\/\/\S+\/(?:callback\/|invitation\?)\S+/) ?? []
  if (link === undefined) throw new Error('the mail has no link')
  tellFields(Object.fromEntries(new URL(link).searchParams))
  return link
}

/** The link of a mail's HTML part, as a mail program reads it. */
export function linkInHtml({ html }: Pick<ParsedMail, 'html'>): string {
  const [, link] = (html || '').match(/href="([^"]*\/callback\/[^"]*)"/) ?? []
  if (link === undefined) throw new Error('the mail has no HTML link')
  return unescapeHtml(link)
}

/** A form of a page: where it goes, and its fields. */
export interface PageForm {
  readonly action: string
  readonly fields: Record<string, string>
}

/** The form of a page whose address contains a text. */
export function formIn(html: string, action: string): PageForm {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const target = attributeOf(attributes, 'action') ?? ''
    if (!target.includes(action)) continue
    const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, input = '']) => input)
    const named = inputs.map((input) => [attributeOf(input, 'name') ?? '', attributeOf(input, 'value') ?? ''] as const)
    return { action: target, fields: Object.fromEntries(named.filter(([name]) => name !== '')) }
  }
  throw new Error(`the page has no form for ${action}`)
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    return hexadecimal ? String.fromCodePoint(Number.parseInt(hexadecimal, 16)) : (named[name] ?? whole)
  })
}
