/** The body of a POST to the Router: Express' parsers, with a limit that holds from the first byte. */
import cookieParser from 'cookie-parser'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { InvalidRequest } from '../errors.js'
import { assertFewMembers, assertUtf8, bodyLimit, tooLarge, unreadable } from './parse-body.js'

/** Parses cookies, JSON and forms into `request`. @throws {@link InvalidRequest}, and what a parser of the application throws */
export type Parsing = (request: Request, response: Response) => Promise<void>

/**
 * Makes the parsing. A body that the application has parsed already is left as it is.
 *
 * `req.cookies` is for what an application hangs into the Router; the engine reads the header.
 */
export function createParsing(): Parsing {
  const verify = (_request: unknown, _response: unknown, _body: unknown, charset: string) => assertUtf8(charset)
  const verifyJson = (_request: unknown, _response: unknown, body: Buffer, charset: string) => {
    assertUtf8(charset)
    assertFewMembers(body.toString('latin1'))
  }
  const parsers = [
    cookieParser(),
    express.json({ limit: bodyLimit, verify: verifyJson }),
    express.urlencoded({ extended: false, limit: bodyLimit, verify }),
  ]
  return async function parse(request, response) {
    // What the application has read already is within limits of its own.
    const unread = !request.readableEnded
    if (unread && Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge()
    await new Promise<void>((resolve, reject) => {
      if (unread && request.headers['transfer-encoding'] !== undefined) countBytes(request, reject)
      runAll(parsers, { request, response, done: (error) => (error ? reject(toBodyError(error)) : resolve()) })
    })
  }
}

type Run = { request: Request; response: Response; done(error?: unknown): void }

/** One after the other, without a turn of the event loop between: the bytes are being counted, and so the stream flows. */
function runAll([parser, ...others]: readonly RequestHandler[], run: Run): void {
  if (!parser) run.done()
  else parser(run.request, run.response, (error?: unknown) => (error ? run.done(error) : runAll(others, run)))
}

/** The clean refusal for what a body parser threw; anything else stays what it is. */
function toBodyError(error: unknown): unknown {
  if (error instanceof InvalidRequest) return error
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error
  if (error.status < 400 || error.status > 499) return error
  return error.status === 413 ? tooLarge(error) : unreadable(error.status, error)
}

/** Refuses as soon as there are too many: Express' parsers do so only after they have read the whole upload. */
function countBytes(request: Request, refuse: (error: InvalidRequest) => void): void {
  let received = 0
  request.on('data', function count(chunk: Buffer) {
    received += chunk.length
    if (received <= bodyLimit) return
    request.off('data', count)
    refuse(tooLarge())
  })
}
