/** The built-in pages: pure functions from their content to an HTML document. */

export { renderDeleteAccount } from '../features/deletion/page-delete-account.js'
export { renderTwoFactor } from '../features/factors/page-challenge.js'
export { renderRecoveryCodes } from '../features/factors/page-codes.js'
export {
  type QrCode,
  qrSvg,
  renderAddFactor,
  renderFactorList,
} from '../features/factors/page-setup.js'
export { renderInvitation } from '../features/members/page-invitation.js'
export { passwordContent } from '../features/passwords/page-content.js'
export { passwordSentence, renderPassword } from '../features/passwords/page-forms.js'
export { renderChangeEmail, renderConfirmEmail, renderConnect, renderContinue } from './confirmations.js'
export { renderCsrfField } from './csrf-field.js'
export { type ErrorPage, renderError } from './error.js'
export { errorSentence, errorStatus, siteProblem } from './error-texts.js'
export { type GuardReason, renderGuard } from './guard.js'
export { addressField, methodsForIdentifier, wantsAddress, withIdentifierForm } from './identifier-first.js'
export { mayShowAgain } from './input.js'
export type { PageFrame } from './layout.js'
export { type Notice, type NoticeAbout, renderCodeMail, renderMail, renderNotice } from './mail.js'
export type { CaptchaWidget, RememberCheckbox } from './parts.js'
export { renderPasskeyOffer } from './passkey-offer.js'
export { type PageResponse, pageResponse } from './response.js'
export {
  prepareSignIn,
  renderSignIn,
  type SignedInHere,
  type SignInPage,
  type SignInPageValues,
} from './sign-in.js'
export type { SignInEntry } from './sign-in-methods.js'
export { renderSignOut } from './sign-out.js'
export { isEnglish, translate } from './texts.js'
export { type RequestedMail, renderVerifyRequest, type VerifyRequestPage } from './verify-request.js'
