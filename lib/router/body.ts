/** The body of a POST: JSON or form, up to a limit that holds from the first byte. */
import express, { type RequestHandler } from 'express'
import { InvalidRequest } from '../errors.js'

/** Bytes of a body that are read. */
export const bodyLimit = 100 * 1024

/**
 * Parsers for JSON and forms. A body that the application has parsed already is left as it is.
 *
 * The guard comes first because body parsers answer 413 only after they have read the whole upload.
 */
export function createBodyParsers(): RequestHandler[] {
  return [
    guardSize,
    express.json({ limit: bodyLimit, verify: assertUtf8 }),
    express.urlencoded({ extended: false, limit: bodyLimit }),
  ]
}

/** JSON is UTF-8 (RFC 8259 §8.1); body parsers would take UTF-7 too, which hides what it says. */
function assertUtf8(_request: unknown, _response: unknown, _body: unknown, charset: string): void {
  if (charset.toLowerCase() !== 'utf-8') throw new InvalidRequest(unreadable, 415)
}

/** The clean refusal for what a body parser threw; anything else stays what it is. */
export function toBodyError(error: unknown): unknown {
  if (error instanceof InvalidRequest) return error
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error
  if (error.status < 400 || error.status > 499) return error
  return new InvalidRequest(error.status === 413 ? tooLarge : unreadable, error.status, error)
}

const unreadable = 'The body cannot be read: send a form or JSON.'

const tooLarge = `The body is too large: ${bodyLimit} bytes and 1000 fields are allowed.`

/** Refuses by the announced length at once, and by the counted bytes as soon as they are too many. */
const guardSize: RequestHandler = function guardSize(request, _response, next) {
  // The application has read it already, within limits of its own.
  if (request.readableEnded) {
    next()
    return
  }
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) {
    next(new InvalidRequest(tooLarge, 413))
    return
  }
  if (request.headers['transfer-encoding'] === undefined) {
    next()
    return
  }
  let received = 0
  request.on('data', function count(chunk: Buffer) {
    received += chunk.length
    if (received <= bodyLimit) return
    request.off('data', count)
    next(new InvalidRequest(tooLarge, 413))
  })
  next()
}
