/** The name server of the demo's companies, for TXT records (RFC 1035 §4). */
import { createSocket } from 'node:dgram'

/** A running name server. */
export interface NameServer {
  /** Its address and port, for `connections.nameServers`. */
  readonly address: string
  /** The texts by name, which the page `/demo` changes. */
  readonly texts: Map<string, string>
}

const txt = 16

/** Starts the server on a free port of this machine. */
export async function startNameServer(): Promise<NameServer> {
  const texts = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => socket.send(answerTo(query, texts), port, address))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, texts }
}

function answerTo(query: Buffer, texts: ReadonlyMap<string, string>): Buffer {
  const { name, end } = readName(query)
  const text = texts.get(name.toLowerCase())
  const answers = text !== undefined && query.readUInt16BE(end) === txt ? [record(text)] : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  // An authoritative answer: the name exists, or it does not (code 3).
  header.writeUInt16BE(0x8580 | (text === undefined ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, query.subarray(12, end + 4), ...answers])
}

/** Returns a TXT record for the name of the question. Its lifetime is 0, so that changes are seen at once. */
function record(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(13)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(txt, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length + 1, 10)
  head.writeUInt8(bytes.length, 12)
  return Buffer.concat([head, bytes])
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}
