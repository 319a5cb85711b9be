/** Passwords that the library keeps. Loaded when they are first needed. */

export { type ChangeResult, changePassword, readChangePage } from './change.js'
export { assertImportable, hashNewPassword } from './hashes.js'
export { readResetPage, requestPasswordReset, resetPassword } from './reset.js'
export { mailResetLink } from './reset-link.js'
export { ensurePasswordAccount, setPassword } from './set-password.js'
export { signInWithPassword } from './sign-in.js'
export { assertSignUpEnabled, readVerifyPage, requestSignUp, verifySignUp } from './sign-up.js'
