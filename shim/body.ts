/** The body of a Fetch request, read up to the Router's limit, for so long, and while somebody waits for the answer. */
import { InvalidRequest, toError } from '../lib/errors.js'
import { bodyLimit } from '../lib/router/body.js'

/** What was read of a body. */
export interface Body {
  readonly bytes: Buffer
  /** What the Router is told: more than its limit makes it refuse. `undefined` where there is no body. */
  readonly length: number | undefined
}

/** Nothing to read. */
export const noBody: Body = { bytes: Buffer.alloc(0), length: undefined }

/**
 * Reads a body. One that is too long is not read to its end, and not handed on.
 *
 * @param patience Milliseconds in which it has to arrive.
 * @throws {@link InvalidRequest} when it does not come, and TypeError when the application has read it already.
 */
export async function readBody(request: Request, patience = 30_000): Promise<Body> {
  if (request.bodyUsed) {
    throw new TypeError('The body of this request was read before: hand the request to `handlers` as it came.')
  }
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > bodyLimit) return { ...noBody, length: announced }
  const reader = request.body?.getReader()
  if (!reader) return noBody
  const late = AbortSignal.timeout(patience)
  const enough = AbortSignal.any([request.signal, late])
  // A cancelled reader says that this was all, to a read under way as well.
  const stop = () => void reader.cancel().catch(() => {})
  enough.addEventListener('abort', stop)
  if (enough.aborted) stop()
  const body = await readAll(reader).finally(() => enough.removeEventListener('abort', stop))
  if (late.aborted) throw new InvalidRequest('The body did not arrive in time.', 408)
  if (enough.aborted) throw new InvalidRequest('The request was given up before its body had arrived.')
  return body
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Body> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length
      if (length > bodyLimit) {
        reader.cancel().catch(() => {})
        return { ...noBody, length }
      }
      chunks.push(part.value)
    }
  } catch (error) {
    throw new InvalidRequest('The body broke off.', 400, toError(error))
  }
  return { bytes: Buffer.concat(chunks), length }
}
