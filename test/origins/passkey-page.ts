/** The script of a page of another origin: the browser client and passkeys, for the test. */
import * as client from '../../lib/client/index.js'
import * as passkeys from '../../lib/client/webauthn.js'

declare global {
  interface Window {
    remote: typeof client & typeof passkeys
  }
}

window.remote = { ...client, ...passkeys }
