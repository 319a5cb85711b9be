/**
 * The Node.js runtime of Vercel, as far as a handler sees it: `@vercel/node` reads the whole body before the handler runs,
 * lets the stream be read again, and parses `req.body` at its first use. An application that it starts itself, such as an
 * exported Express, gets the plain request.
 *
 * Written from the behaviour of `@vercel/node` 24.0.0, whose helpers are not exported.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { parse } from 'node:querystring'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** The error of an unreadable body. Its status has this name, and no other. */
class ApiError extends Error {
  readonly statusCode = 400
}

/** Runs a function of the form `(req, res) => …` with the helpers. */
export function withVercelHelpers(handler: RequestListener): RequestListener {
  return async (request, response) => {
    const type = request.headers['content-type']
    const bytes = type === undefined ? Buffer.alloc(0) : await buffer(request)
    if (type !== undefined) replay(request, bytes)
    defineLazily(request, 'body', () => parseByType(bytes, type))
    defineLazily(request, 'query', () => Object.fromEntries(new URL(request.url ?? '/', 'http://h').searchParams))
    defineLazily(request, 'cookies', () => ({}))
    handler(request, response)
  }
}

function parseByType(bytes: Buffer, type = 'text/plain'): unknown {
  const [name = ''] = type.split(';')
  switch (name.trim().toLowerCase()) {
    case 'application/json':
      try {
        return bytes.length === 0 ? {} : JSON.parse(bytes.toString())
      } catch {
        throw new ApiError('Invalid JSON')
      }
    case 'application/octet-stream':
      return bytes
    case 'application/x-www-form-urlencoded':
      return parse(bytes.toString())
    case 'text/plain':
      return bytes.toString()
    default:
      return undefined
  }
}

/** Lets listeners of the request's stream hear the body again. Nothing else of the ended stream changes. */
function replay(request: IncomingMessage, bytes: Buffer): void {
  const copy = new PassThrough()
  const listenOn = { copy: copy.on.bind(copy), request: request.on.bind(request) }
  const on = (...args: Parameters<typeof copy.on>) => {
    const [name] = args
    listenOn[name === 'data' || name === 'end' ? 'copy' : 'request'](...args)
    return request
  }
  Object.assign(request, { read: copy.read.bind(copy), on, addListener: on })
  copy.end(bytes)
}

/** Defines a property that is computed once, and that can be overwritten. */
function defineLazily(request: IncomingMessage, name: string, compute: () => unknown): void {
  const set = (value: unknown) =>
    Object.defineProperty(request, name, { configurable: true, enumerable: true, writable: true, value })
  Object.defineProperty(request, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = compute()
      set(value)
      return value
    },
    set,
  })
}
