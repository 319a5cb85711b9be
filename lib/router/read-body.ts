/** The reading of a Node request's body, with a limit from the first byte. The shim reads those of Fetch requests (`shim/body`). */
import type { IncomingMessage } from 'node:http'
import { type InvalidRequest, toError } from '../errors.js'
import {
  bodyLimit,
  bodyTooLarge,
  hasFields,
  isUnparsed,
  parseBody,
  parseUncompressed,
  unreadableBody,
} from './parse-body.js'

/** A request of Express or of another host, which may have put a body on it. */
export type RequestWithBody = IncomingMessage & {
  /** The body: parsed, as text or as bytes. Absent if the host has not read it. */
  body?: unknown
}

/**
 * Returns the fields of a body, and puts those that it has read on `body`. A body that the application has parsed already is
 * not changed, and has the application's own limits. A body of another type is left to the application.
 *
 * @throws {@link InvalidRequest} 400, 413 or 415 for a body that is too long, ends early, or does not match its headers.
 */
export async function readRequestBody(request: RequestWithBody): Promise<unknown> {
  const given = readGivenBody(request)
  if (isUnparsed(given)) return parseGivenBody(request, given)
  const { headers } = request
  const length = Number(headers['content-length'] ?? Number.NaN)
  // A stream that has ended was read by the application.
  if (request.readableEnded) return given
  if (length > bodyLimit) throw bodyTooLarge()
  if (Number.isNaN(length) && headers['transfer-encoding'] === undefined) return given
  if (!hasFields(headers)) return given
  request.body = await parseBody(headers, await readBytes(request))
  return request.body
}

/**
 * Returns the `body` that the host or the application has set. @throws {@link InvalidRequest} if it is parsed at its
 * first use, as on Vercel, and malformed.
 */
function readGivenBody(request: RequestWithBody): unknown {
  try {
    return request.body
  } catch (error) {
    throw unreadableBody(400, toError(error))
  }
}

/** Parses the text or the bytes of a body. Parsers that have read the request have decompressed it, too. */
function parseGivenBody(request: RequestWithBody, body: string | Uint8Array): unknown {
  const isDecompressed = typeof body === 'string' || request.readableEnded
  return isDecompressed ? parseUncompressed(request.headers, body) : parseBody(request.headers, body)
}

/** Reads the stream to its end. Rejects as soon as there are too many bytes; Node drops the rest after the response. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    const stop = (error: InvalidRequest) => {
      request.off('data', read)
      reject(error)
    }
    function read(chunk: Buffer): void {
      received += chunk.length
      if (received > bodyLimit) stop(bodyTooLarge())
      else chunks.push(chunk)
    }
    request.on('data', read)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', (error) => stop(unreadableBody(400, error)))
    // An upload that was aborted has no end. After the end, the promise is settled.
    request.once('close', () => stop(unreadableBody(400)))
  })
}
