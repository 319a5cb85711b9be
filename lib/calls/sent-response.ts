/** The error of code that writes to a response which a call, such as `signOut()`, has already sent. */
import { isRecord } from '../base/guards.js'

/** The methods of a Node response that throw when the headers have been sent. */
const headerMethods = ['setHeader', 'appendHeader', 'removeHeader', 'writeHead'] as const

/**
 * Makes errors of later writes name the call that has sent the response. Only this response is changed, and only after
 * the call has sent it, so other responses cost nothing.
 * @param caller Such as `signOut()`.
 */
export function nameSenderInErrors(response: object, caller: string): void {
  for (const name of headerMethods) {
    const method: unknown = Reflect.get(response, name)
    if (typeof method !== 'function') continue
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        return Reflect.apply(method, this, args)
      } catch (error) {
        throw isHeadersSentError(error) ? createError(caller, error) : error
      }
    }
    Object.defineProperty(response, name, { value, configurable: true, writable: true })
  }
}

function isHeadersSentError(error: unknown): boolean {
  return isRecord(error) && error.code === headersSent
}

const headersSent = 'ERR_HTTP_HEADERS_SENT'

function createError(caller: string, cause: unknown): Error {
  const message = `${caller} has already sent the response. Return after it, or pass \`redirect: false\` and redirect to the URL that it returns.`
  return Object.assign(new Error(message, { cause }), { code: headersSent })
}
