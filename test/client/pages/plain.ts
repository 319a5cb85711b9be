/** A page without a framework: gives the client to the test. */
import * as client from '../../../lib/client/index.js'

declare global {
  interface Window {
    auth: typeof client
    /** Returns the error of a call, or `null` if it succeeded. */
    failure(call: Promise<unknown>): Promise<{ name: string; type?: string; status?: number; message: string } | null>
  }
}

window.auth = client
window.failure = (call) =>
  call.then(
    () => null,
    ({ name, type, status, message }) => ({ name, type, status, message }),
  )
