/** The built-in pages: pure functions from what is shown to an HTML document. */
export { renderContinue } from './continue.js'
export { errorStatus, renderError } from './error.js'
export type { PageFrame } from './layout.js'
export type { SignInEntry } from './sign-in.js'
export { renderSignIn } from './sign-in.js'
export { renderSignOut } from './sign-out.js'
export { renderVerifyRequest } from './verify-request.js'
