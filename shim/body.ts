/** The reading of a Fetch request's body, with a size limit and a timeout, until the request is aborted. */
import { InvalidRequest, toError } from '../lib/errors.js'
import { bodyLimit, bodyTooLarge } from '../lib/router/parse-body.js'

/**
 * Reads a body. One that is too long is not read to its end.
 * @param timeout The timeout in milliseconds.
 * @returns The bytes; none without a body.
 * @throws {@link InvalidRequest} if it is too long or does not arrive, and TypeError if the application has already
 *   read it.
 */
export async function readFetchBody(request: Request, timeout = 30_000): Promise<Buffer> {
  if (request.bodyUsed) {
    throw new TypeError('The body of this request has already been read. Pass the unread request to `handlers`.')
  }
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimit) throw bodyTooLarge()
  const reader = request.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const { signal } = request
  // Cancelling ends a pending read as if the body were complete.
  const stop = () => void reader.cancel().catch(() => {})
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeout)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const body = await readChunks(reader).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
  if (isLate) throw new InvalidRequest('The body did not arrive in time.', 408)
  if (signal.aborted) throw new InvalidRequest('The request was aborted before its body had arrived.')
  return body
}

async function readChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (let part = await readChunk(reader); !part.done; part = await readChunk(reader)) {
    length += part.value.length
    if (length > bodyLimit) {
      reader.cancel().catch(() => {})
      throw bodyTooLarge()
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    throw new InvalidRequest('The body ended early.', 400, toError(error))
  }
}
