/** The built-in pages: pure functions from their content to an HTML document. */

export { renderTwoFactor } from '../features/factors/page-challenge.js'
export {
  type QrCode,
  qrSvg,
  renderAddFactor,
  renderFactorList,
  renderRecoveryCodes,
} from '../features/factors/page-setup.js'
export { passwordContent } from '../features/passwords/page-content.js'
export { passwordSentence, renderPassword } from '../features/passwords/page-forms.js'
export type { SignInEntry } from './entries.js'
export { type ErrorPage, renderError } from './error.js'
export { errorSentence, errorStatus, siteProblem } from './error-words.js'
export { type GuardReason, renderGuard } from './guard.js'
export { addressField, askFirst, wantsAddress } from './identifier.js'
export { keepsTyped } from './input.js'
export type { PageFrame } from './layout.js'
export { type Notice, type NoticeAbout, renderCodeMail, renderMail, renderNotice } from './mail.js'
export type { CaptchaWidget, RememberBox } from './parts.js'
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
export { renderVerifyRequest } from './verify-request.js'
export { isEnglish, textOf } from './words.js'
