/**
 * Known passwords in a file, for servers that query no service: a Bloom filter. It recognizes all its passwords, and
 * one in a thousand others.
 *
 * The file: the eight letters `SA-BLOOM`; then, as 32-bit little-endian numbers, the version 1, the bits that each
 * password sets (k), the number of bits (m), and the number of passwords (n), the last two as 64 bits each; the SHA-256
 * of the bits, 32 bytes; the bits, from the lowest of the first byte on. A password's bits are computed from the SHA-1
 * of its UTF-8 bytes: with `a` the big-endian number of the first six bytes and `b` that of the next six, they are `(a
 * + i * b + (i³ - i) / 6) mod m` for each i below k.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { isCloudflareWorkers } from '../../../base/runtime.js'
import { InvalidConfiguration } from '../../../errors.js'
import type { BreachCheck } from '../types.js'

const magic = Buffer.from('SA-BLOOM')
const headerSize = magic.length + 4 + 4 + 8 + 8 + 32
/** In a smaller filter, two passwords too often have the same bits. */
const leastBits = 2 ** 12
/** A gigabyte. Node cannot read more than two at once. */
const mostBits = 2 ** 33
/** Keeps `a + i * b` exact. */
const mostHashes = 31

interface Filter {
  readonly hashes: number
  readonly size: number
  readonly bits: Buffer
}

/**
 * Rejects passwords that are in a file of `writeBloomFile`. The file is read now, and kept in memory.
 *
 * @throws {@link InvalidConfiguration} for a file that is missing, damaged or of another format.
 */
export function bloomFile(path: string): BreachCheck {
  if (isCloudflareWorkers()) {
    throw new InvalidConfiguration('bloomFile: Cloudflare Workers have no files. Use `hibp()` instead.')
  }
  const filter = readFilter(path)
  return Object.freeze({
    isBreached: (password: string) => {
      const digest = createHash('sha1').update(password.normalize('NFC')).digest()
      return positionsOf(filter, digest).every((at) => ((filter.bits[Math.floor(at / 8)] ?? 0) & (1 << (at % 8))) !== 0)
    },
  })
}

function readFilter(path: string): Filter {
  const file = readBytes(path)
  const refuse = (why: string) =>
    new InvalidConfiguration(`bloomFile: ${path} ${why}. Create it again with writeBloomFile().`)
  if (file.length < headerSize || !file.subarray(0, magic.length).equals(magic))
    throw refuse('is no file of writeBloomFile()')
  if (file.readUInt32LE(8) !== 1) throw refuse('was written by a later version')
  const hashes = file.readUInt32LE(12)
  const size = Number(file.readBigUInt64LE(16))
  const bits = file.subarray(headerSize)
  if (hashes < 1 || hashes > mostHashes || size < leastBits || size > mostBits || bits.length !== Math.ceil(size / 8)) {
    throw refuse('is incomplete or damaged')
  }
  if (!timingSafeEqual(createHash('sha256').update(bits).digest(), file.subarray(32, headerSize))) {
    throw refuse('is damaged')
  }
  return { hashes, size, bits }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const err = error instanceof Error ? error : undefined
    throw new InvalidConfiguration(`bloomFile: ${path} could not be read.`, err)
  }
}

function positionsOf({ hashes, size }: Omit<Filter, 'bits'>, digest: Buffer): number[] {
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)]
  return Array.from({ length: hashes }, (_, index) => (first + index * step + (index ** 3 - index) / 6) % size)
}

/**
 * Writes the file of {@link bloomFile}.
 *
 * @param path The path of the file. An existing file is replaced when all is written.
 * @param sha1Lines The SHA-1 of each password: forty hexadecimal digits, and anything after a `:`, as in the lists of
 *   "Have I Been Pwned". Lines of a file: `createInterface({ input: createReadStream(file) })` of `node:readline`.
 * @param options The size of the file. A million passwords take 1.8 MB with the default `falsePositives: 0.001`.
 * @returns The number of passwords.
 * @throws TypeError for an invalid line, RangeError for more lines than `count`, and for invalid options.
 */
export async function writeBloomFile(
  path: string,
  sha1Lines: Iterable<string> | AsyncIterable<string>,
  options: {
    /** The most lines. */
    count: number
    /** The share of other passwords that are rejected: 0.001 is one in a thousand. */
    falsePositives?: number
  },
): Promise<number> {
  const { count, falsePositives = 0.001 } = options
  const { hashes, size } = filterDimensions(count, falsePositives)
  const bits = Buffer.alloc(Math.ceil(size / 8))
  let added = 0
  for await (const line of sha1Lines) {
    if (line === '') continue
    const digest = /^([0-9A-Fa-f]{40})(?=:|\s*$)/.exec(line)?.[1]
    if (digest === undefined) throw new TypeError(`writeBloomFile: line ${added + 1} does not begin with a SHA-1.`)
    if (added >= count) throw new RangeError('writeBloomFile: there are more lines than `count`.')
    added += 1
    for (const at of positionsOf({ hashes, size }, Buffer.from(digest, 'hex'))) {
      const byte = Math.floor(at / 8)
      bits[byte] = (bits[byte] ?? 0) | (1 << (at % 8))
    }
  }
  await writeWhole(path, [headerOf({ hashes, size, bits }, added), bits])
  return added
}

function filterDimensions(count: number, falsePositives: number): { hashes: number; size: number } {
  if (!(Number.isSafeInteger(count) && count > 0)) {
    throw new RangeError('writeBloomFile: `count` must be a whole number above zero.')
  }
  if (!(falsePositives >= 1e-9 && falsePositives <= 0.5)) {
    throw new RangeError('writeBloomFile: `falsePositives` must be between 1e-9 and 0.5.')
  }
  const size = Math.max(leastBits, Math.ceil((-count * Math.log(falsePositives)) / Math.LN2 ** 2))
  if (size > mostBits) throw new RangeError('writeBloomFile: the file would be larger than a gigabyte.')
  return { size, hashes: Math.min(mostHashes, Math.max(1, Math.round(-Math.log2(falsePositives)))) }
}

function headerOf({ hashes, size, bits }: Filter, count: number): Buffer {
  const header = Buffer.alloc(headerSize)
  magic.copy(header)
  header.writeUInt32LE(1, 8)
  header.writeUInt32LE(hashes, 12)
  header.writeBigUInt64LE(BigInt(size), 16)
  header.writeBigUInt64LE(BigInt(count), 24)
  createHash('sha256').update(bits).digest().copy(header, 32)
  return header
}

/** Writes a file under another name, and renames it when it is complete, so that readers never see part of it. */
async function writeWhole(path: string, parts: readonly Buffer[]): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(draft, 'wx')
    try {
      for (const part of parts) await file.writeFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
