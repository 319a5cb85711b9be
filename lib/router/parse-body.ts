/**
 * Parses the body of a POST from bytes or text: JSON or a form, by the rules of the Router's parsers. It is used where
 * no framework has parsed the body: behind the shim, and on hosts that put the raw body into `req.body`.
 */
import { parse as parseForm } from 'node:querystring'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { InvalidRequest, toError } from '../errors.js'
import { header, type MessageHeaders } from '../http/message.js'

/** The maximum size of a body, in bytes. */
export const bodyLimit = 100 * 1024

/** The maximum number of form fields. */
const fieldLimit = 1000

/**
 * The maximum number of members, and of objects and lists, in a JSON body. For each new name the parser takes as long
 * as for a kilobyte of text.
 */
const jsonLimit = { members: 2000, objects: 5000 }

/** Returns the error for a body that is too long, or has too many fields. */
export function bodyTooLarge(cause?: Error): InvalidRequest {
  return new InvalidRequest(
    `The body is too large: ${bodyLimit} bytes and ${fieldLimit} fields are allowed.`,
    413,
    cause,
  )
}

/** Returns the error for a body that does not match its headers. `status` is 400 or, for an unknown coding, 415. */
export function unreadableBody(status: number, cause?: Error): InvalidRequest {
  return new InvalidRequest('The body cannot be read: send a form or JSON.', status, cause)
}

function tooManyMembers(): InvalidRequest {
  const { members, objects } = jsonLimit
  return new InvalidRequest(
    `The body is too large: JSON may have ${members} members, and ${objects} objects and lists.`,
    413,
  )
}

/**
 * Rejects JSON with too many members or objects before it is parsed. Those in texts are counted too. @throws {@link
 * InvalidRequest}
 */
function assertFewMembers(json: string): void {
  if (hasMore(json, /"\s*:/, jsonLimit.members) || hasMore(json, /[[{]/, jsonLimit.objects)) throw tooManyMembers()
}

function hasMore(text: string, sign: RegExp, most: number): boolean {
  return text.split(sign, most + 2).length > most + 1
}

/** Requires UTF-8, as both formats do (RFC 8259 §8.1, URL Standard §5): UTF-7 can hide characters. */
function assertUtf8(charset: string): void {
  if (charset.toLowerCase() !== 'utf-8') throw unreadableBody(415)
}

/** Checks whether a body of this type has fields. @throws {@link InvalidRequest} for a charset other than UTF-8. */
export function hasFields(headers: MessageHeaders): boolean {
  return parserFor(headers) !== undefined
}

/** Parses a body of at most {@link bodyLimit} bytes; `undefined` for a type that has no fields. @throws {@link InvalidRequest} */
export async function parseBody(headers: MessageHeaders, bytes: Uint8Array): Promise<unknown> {
  if (bytes.byteLength > bodyLimit) throw bodyTooLarge()
  const parse = parserFor(headers)
  if (!parse) return undefined
  return parse(decode(await decompress(header(headers, 'content-encoding') ?? 'identity', bytes)))
}

/**
 * Checks whether a host or a parser left the text or the bytes of the body in `req.body`: AWS Lambda adapters do, and
 * `express.text` and `express.raw`.
 */
export function isUnparsed(body: unknown): body is string | Uint8Array {
  return (typeof body === 'string' || body instanceof Uint8Array) && body.length > 0
}

/** Parses text, or bytes that are not compressed, like {@link parseBody}. @throws {@link InvalidRequest} */
export function parseUncompressed(headers: MessageHeaders, body: string | Uint8Array): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.byteLength > bodyLimit) throw bodyTooLarge()
  return parserFor(headers)?.(decode(bytes))
}

/** Returns the parser for the media type. @throws {@link InvalidRequest} for a charset other than UTF-8. */
function parserFor(headers: MessageHeaders): ((text: string) => unknown) | undefined {
  const type = readType(header(headers, 'content-type') ?? '')
  const parse = parsers.get(type.name)
  if (parse) assertUtf8(type.charset)
  return parse
}

/** Decodes UTF-8. A byte order mark is left out, and invalid UTF-8 becomes U+FFFD. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/**
 * Returns a media type with its charset (RFC 9110 §8.3.1). A malformed one has an empty name, which no parser matches.
 */
function readType(text: string): { readonly name: string; readonly charset: string } {
  if (!mediaType.test(text)) return { name: '', charset: '' }
  const [name = ''] = text.split(';', 1)
  const charset = /;\s*charset="?([^";\s]*)/i.exec(text)?.[1] ?? 'utf-8'
  return { name: name.trim().toLowerCase(), charset }
}

const mediaType = /^\s*[\w.+-]+\/[\w.+-]+\s*(?:;\s*[\w.+-]+=(?:[^\s";,]+|"[^"\\]*")\s*)*$/

const parsers: ReadonlyMap<string, (text: string) => unknown> = new Map([
  ['application/json', parseJsonBody],
  ['application/x-www-form-urlencoded', parseFormBody],
])

/** Parses an object or a list. Clients send an empty text with a POST without fields. */
function parseJsonBody(text: string): unknown {
  if (text === '') return {}
  if (!/^[ \t\r\n]*[{[]/.test(text)) throw unreadableBody(400)
  assertFewMembers(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadableBody(400, toError(error))
  }
}

/** Parses a form. A repeated name has a list. Brackets are part of a name. The record has no prototype. */
function parseFormBody(text: string): unknown {
  if (text.split('&', fieldLimit + 1).length > fieldLimit) throw bodyTooLarge()
  return parseForm(text, '&', '=', { maxKeys: 0 })
}

const inflaters = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** Decodes a content coding (RFC 9110 §8.4), and stops at the limit: a small body can contain a very large one. */
async function decompress(coding: string, bytes: Uint8Array): Promise<Uint8Array> {
  if (coding.toLowerCase() === 'identity') return bytes
  const inflater = inflaters.get(coding.toLowerCase())
  if (!inflater) throw unreadableBody(415)
  if (bytes.byteLength === 0) return bytes
  try {
    return await inflater(bytes, { maxOutputLength: bodyLimit })
  } catch (thrown) {
    const error = toError(thrown)
    throw 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? bodyTooLarge(error) : unreadableBody(400, error)
  }
}
