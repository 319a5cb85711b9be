/** A name server on loopback for TXT and CNAME (RFC 1035 §4), whose answers a test sets. */
import { createSocket } from 'node:dgram'

/** The records of a name. Without `cname` and `txt` the name does not exist. */
export interface NameRecords {
  /** Each text, in chunks of at most 255 characters. */
  readonly txt?: ReadonlyArray<readonly string[]>
  readonly cname?: string
}

/** A name server that was started. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, for `Resolver.setServers`. */
  readonly address: string
  /** The records by name. A test changes them. */
  readonly names: Map<string, NameRecords>
  /** `false`: queries are not answered. */
  answers: boolean
  close(): Promise<void>
}

const types = { cname: 5, txt: 16 } as const

/** Starts a name server. Close it in `after`. */
export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, NameRecords>()
  const socket = createSocket('udp4')
  const server = { names, answers: true }
  socket.on('message', (query, { address, port }) => {
    if (server.answers) socket.send(answerTo(query, names), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  return Object.assign(server, {
    address: `127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  })
}

function answerTo(query: Buffer, names: ReadonlyMap<string, NameRecords>): Buffer {
  const { name, end } = readName(query, 12)
  const type = query.readUInt16BE(end)
  const found = names.get(name.toLowerCase())
  const records = found ? recordsOf(found, type) : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 | (found ? 0 : 3), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, end + 4), ...records])
}

/** A name with an alias answers with it, whatever is asked, and the texts of its target follow. */
function recordsOf({ txt = [], cname }: NameRecords, type: number): Buffer[] {
  const alias = cname === undefined ? [] : [record(types.cname, writeName(cname))]
  const texts = txt.map((chunks) =>
    record(
      types.txt,
      Buffer.concat(chunks.map((chunk) => Buffer.concat([Buffer.of(chunk.length), Buffer.from(chunk)]))),
    ),
  )
  return type === types.txt ? [...alias, ...texts] : type === types.cname ? alias : []
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  // The name is that of the question.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}
