/** Passwords that the library keeps. Loaded when they are first needed. */

export { type Changed, change, showChange } from './change.js'
export { assertImportable, hashNew } from './hashes.js'
export { forgot, reset, showReset } from './reset.js'
export { mailReset } from './reset-link.js'
export { keepAccount, setPassword } from './set.js'
export { signIn } from './sign-in.js'
export { assertOpen, showVerify, signUp, verify } from './sign-up.js'
