/** The built-in pages: pure functions from what is shown to an HTML document. */

export type { SignInEntry } from './entries.js'
export { type ErrorPage, renderError } from './error.js'
export { errorSentence, errorStatus, siteProblem } from './error-words.js'
export { type GuardReason, renderGuard } from './guard.js'
export { addressField, askFirst, wantsAddress } from './identifier.js'
export { keepsTyped } from './input.js'
export type { PageFrame } from './layout.js'
export { type Notice, type NoticeAbout, renderCodeMail, renderMail, renderNotice } from './mail.js'
export type { CaptchaWidget, RememberBox } from './parts.js'
export { passwordSentence, renderPassword } from './password.js'
export { passwordContent } from './password-content.js'
export { renderChangeEmail, renderConfirmEmail, renderConnect, renderContinue } from './questions.js'
export { type PageResponse, pageResponse } from './response.js'
export {
  type OwnSignInPage,
  prepareSignIn,
  renderSignIn,
  type SignedInHere,
  type SignInPage,
} from './sign-in.js'
export { renderSignOut } from './sign-out.js'
export { renderTwoFactor } from './two-factor.js'
export { type QrCode, qrSvg, renderAddFactor, renderFactorList, renderRecoveryCodes } from './two-factor-setup.js'
export { renderVerifyRequest } from './verify-request.js'
export { isEnglish, textOf } from './words.js'
