/** What a framework handed over. By shape: some have Requests and Responses of their own, or of another realm. */
import { isRecord } from '../lib/base/guards.js'

/** A Fetch Request. Node's has its headers in a plain record. */
export function isFetchRequest(value: unknown): value is Request {
  return isRecord(value) && typeof value.url === 'string' && hasHeaders(value)
}

/** A Fetch Response. */
export function isResponse(value: unknown): value is Response {
  return isRecord(value) && typeof value.status === 'number' && hasHeaders(value)
}

/** Something with Fetch headers. */
export function hasHeaders(value: unknown): value is { readonly headers: Headers } {
  if (!isRecord(value) || !isRecord(value.headers)) return false
  return typeof value.headers.get === 'function' && typeof value.headers.append === 'function'
}
