/** English: the texts of errors, as a part of `en`. */
export const errorTexts = {
  /* The error page. A line break starts a new paragraph. */

  'error.title': 'Error',
  /** The reference by which operators find the error in the log. */
  'error.reference': 'Reference: {reference}',
  /** The button of the page for a fault of the site. */
  'error.tryAgain': 'Try again',
  'error.Configuration.heading': 'This site has a problem',
  'error.Configuration.text':
    'This does not work right now, and it is not your fault.\nPlease try again in a few minutes. If it keeps happening, tell the people who run the site.',
  'error.unknown.heading': 'Something went wrong',
  'error.unknown.text': 'Please go back to the site and try again.',

  /* The texts of errors by type: on the error page with a heading, or on the sign-in page. */

  'error.AccountMismatch.heading': 'That is another account',
  'error.AccountMismatch.text':
    'You were asked to confirm that it is you, and signed in to another account. Nothing has changed. To change accounts, sign out first.',
  'error.InvalidCode.heading': 'The code is not correct',
  'error.InvalidCode.text':
    'This code is not correct, was used before, or is too old. Please check it, or wait for the next one.',
  'error.ReauthenticationRequired.heading': 'Please confirm that it is you',
  'error.ReauthenticationRequired.text':
    'It has been a while since you signed in. Please sign in again, then repeat what you wanted to do.',
  'error.SecondFactorFailed.text':
    'The sign-in was not completed in time, or there were too many wrong codes. Please sign in again.',
  'error.AccessDenied.heading': 'Access denied',
  'error.AccessDenied.text':
    'This account may not sign in here.\nIf you have another account, sign in with that one, or ask the people who run the site for access.',
  'error.AccountNotLinked.text':
    'There is already an account with this email address, or this sign-in method belongs to a different account. Please sign in the way you did the first time.',
  'error.CaptchaRequired.text': 'Please confirm that you are human, then try again.',
  'error.CaptchaUnavailable.heading': 'Please try again later',
  'error.CaptchaUnavailable.text':
    'It could not be checked that you are human. Nothing has changed, and nothing is wrong with your account.',
  'error.ConsentRequired.heading': 'Your account was not connected',
  'error.ConsentRequired.text':
    'You, or the service, did not agree to it, or you chose another account there than the one that is connected here.\nPlease go back to where you began, and connect your account again.',
  'error.CredentialsSignin.text':
    'These sign-in details are not correct. Please check what you entered, then try again.',
  'error.EmailSignInError.text': 'That is not an address we can send a link to. Please check it, then try again.',
  'error.ImpersonatedSession.heading': 'Not allowed in this session',
  'error.ImpersonatedSession.text':
    'You are using the session of another user, in which this is not allowed. Nothing has changed. End this session first.',
  'error.InvalidCheck.heading': 'Please start again',
  'error.InvalidCheck.text':
    'The sign-in took too long, was opened in another browser, or was already used. Nothing has changed.',
  'error.InvalidProvider.heading': 'Unknown sign-in method',
  'error.InvalidProvider.text': 'This site does not offer this sign-in method. Please choose another one.',
  'error.InvalidRequest.heading': 'This request was not understood',
  'error.InvalidRequest.text': 'Please go back and try again. If it keeps happening, tell the people who run the site.',
  'error.MissingCSRF.text':
    'This page was out of date: it was open for too long, or you signed in or out in another tab. Please try again.',
  'error.NotConnected.heading': 'No account is connected',
  'error.NotConnected.text': 'Connect an account of the service first.',
  'error.OAuthAccountNotLinked.text':
    'You already have an account with this email address, but signed in to it another way. Please sign in the way you did the first time.',
  'error.OAuthCallbackError.text':
    'Signing in was not completed: it was cancelled, or the service did not confirm it. Please try again, or choose another sign-in method.',
  'error.OAuthSignInError.text': 'Signing in could not be started. Please try again, or choose another sign-in method.',
  'error.PasswordRejected.heading': 'This password cannot be used',
  'error.PasswordRejected.text': 'Please go back, and choose another password.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'The service cannot be reached',
  'error.RefreshError.text': 'Please try again in a while.',
  'error.SignOutError.heading': 'You are signed out in this browser only',
  'error.SignOutError.text':
    'The session could not be ended on the server. That is tried again by itself.\nIf somebody else may have a copy of it, sign in and out again in a while.',
  'error.TooManyCookies.heading': 'No room for the cookies of this site',
  'error.TooManyCookies.text':
    'This site cannot keep anything more in your browser, so nothing was changed.\nDelete the cookies of this site in your browser, then try again.',
  'error.TooManyRequests.heading': 'Too many tries',
  'error.TooManyRequests.text': 'Please wait a few minutes, then try again. Nothing is wrong with your account.',
  'error.Verification.heading': 'This link does not work any more',
  'error.Verification.text':
    'It was already used, it is too old, or a newer one was sent. If you copied it, a part of it may be missing.\nSign in again to get a new link.',
  'error.WebAuthnVerificationError.heading': 'Your passkey was not accepted',
  'error.WebAuthnVerificationError.text':
    'It took too long, it was made for another site or account, or this site does not know it any more. Nothing has changed.\nPlease try again, or sign in another way.',

  /* Tenants. */
  'error.TenantUnavailable.heading': 'This site is not available',
  'error.TenantUnavailable.text': 'Please try again in a few seconds. Nothing is wrong with your account.',
  'error.UnknownTenant.heading': 'There is no site here',
  'error.UnknownTenant.text': 'Please check the address.',
} as const
