/**
 * The browser's version of `server-auth/shim` and `server-auth/next`, chosen by the package's `exports`. A module that
 * imports them by mistake gets an error at run time, instead of a broken build.
 */
export { AuthError, CredentialsSignin } from '../lib/errors.js'
export { customFetch, skipCSRFCheck } from '../lib/types/symbols.js'

/** @throws Error always. */
function throwServerOnly(): never {
  throw new Error(serverOnly)
}

export {
  throwServerOnly as default,
  throwServerOnly as requestHost,
  throwServerOnly as withCookies,
  throwServerOnly as withRequest,
}

const serverOnly =
  'server-auth/next and server-auth/shim run on the server, but this is a browser. A client component imports a file that imports them (often `auth.ts`). In client components use `server-auth/react` or `server-auth/client`, and pass data of the server as props.'
