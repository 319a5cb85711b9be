/** A TCP proxy on loopback: a server that can be taken away or hurt during traffic, and given back. */
import { createServer, connect as open, type Server, type Socket } from 'node:net'

/**
 * The faults of a server. `slow`: its answers come later. `hanging`: it accepts connections and bytes, and never
 * answers. `huge`: a message that does not end. `garbage`: bytes of no protocol. `reset`: half of its first words, and
 * a cut.
 */
export type Hurt = 'slow' | 'hanging' | 'huge' | 'garbage' | 'reset'

/** The answers of a faulty server. */
export interface HurtOptions {
  /** Milliseconds by which it is `slow`. */
  readonly delay: number
  /** The beginning of a message that does not end in `huge`. */
  readonly opening: Buffer
}

/** The number of bytes that a `huge` message has before the server falls silent in the middle of it. */
export const hugeBytes = 50 * 1024 * 1024

export interface TcpProxy {
  readonly port: number
  /** Bytes of the `huge` message that clients took, since `hurt`. */
  readonly taken: number
  /** Cuts all connections; new ones are accepted. */
  cut(): void
  /** Cuts all connections and refuses new ones. */
  stop(): Promise<void>
  /** Accepts connections again, on the same port. */
  start(): Promise<void>
  /** Hurts the server from now on, in connections that are open, too. */
  hurt(how: Hurt, options: HurtOptions): void
  /** New connections are well. Those that were hurt stay so, as behind a firewall that has forgotten them. */
  heal(): void
}

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const wires = new Set<Wire>()
  const harm: Harm = { taken: 0 }
  const accept = (client: Socket) => {
    const wire = new Wire(client, open(target), harm)
    wires.add(wire)
    client.on('close', () => wires.delete(wire))
  }
  let server = createServer(accept)
  await listen(server, 0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const { port } = address

  function cut(): void {
    for (const wire of wires) wire.cut()
  }

  return {
    port,
    get taken() {
      return harm.taken
    },
    cut,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      await closed
    },
    async start() {
      server = createServer(accept)
      await listen(server, port)
    },
    hurt(how, options) {
      harm.taken = 0
      harm.now = { how, options }
      for (const wire of wires) wire.hurt = harm.now
    },
    heal() {
      harm.now = undefined
    },
  }
}

/** The fault of a connection. */
interface Injury {
  readonly how: Hurt
  readonly options: HurtOptions
}

/** The fault of new connections, and the bytes that clients took of it. */
interface Harm {
  now?: Injury | undefined
  taken: number
}

/** One connection. */
class Wire {
  hurt: Injury | undefined
  readonly #client: Socket
  readonly #upstream: Socket
  readonly #harm: Harm
  #spoke = false

  constructor(client: Socket, upstream: Socket, harm: Harm) {
    this.#client = client
    this.#upstream = upstream
    this.#harm = harm
    this.hurt = harm.now
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => this.cut())
    }
    client.on('data', (bytes) => this.#up(bytes))
    upstream.on('data', (bytes) => this.#down(bytes))
  }

  cut(): void {
    this.#client.destroy()
    this.#upstream.destroy()
  }

  #up(bytes: Buffer): void {
    if (this.hurt === undefined || this.hurt.how === 'slow' || this.hurt.how === 'reset') this.#upstream.write(bytes)
    else this.#mischief(this.hurt)
  }

  #down(bytes: Buffer): void {
    if (this.hurt === undefined) this.#client.write(bytes)
    else if (this.hurt.how === 'slow') setTimeout(() => this.#client.write(bytes), this.hurt.options.delay).unref()
    else if (this.hurt.how !== 'reset') this.#mischief(this.hurt)
    else this.#client.write(bytes.subarray(0, bytes.length / 2), () => this.#client.resetAndDestroy())
  }

  /** Sends the fault instead of the first data of either side. */
  #mischief({ how, options }: Injury): void {
    if (this.#spoke || how === 'hanging') return
    this.#spoke = true
    if (how === 'garbage')
      this.#client.write(Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 151 + 71) % 256)))
    else this.#client.write(options.opening, () => this.#pour(hugeBytes))
  }

  #pour(left: number): void {
    const bytes = Buffer.alloc(Math.min(left, 65_536), 'x')
    if (bytes.length === 0 || this.#client.destroyed) return
    this.#client.write(bytes, (error) => {
      if (error) return
      this.#harm.taken += bytes.length
      this.#pour(left - bytes.length)
    })
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
