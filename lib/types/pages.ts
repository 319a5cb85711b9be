/**
 * The option `pages`: custom pages that replace the built-in ones. Most are paths. A page whose form contains a sealed
 * value is a function: in the query of another page, the value would be in that page's log and `Referer`.
 */

/** The paths (or URLs) of custom pages. */
export interface PagesOptions {
  /**
   * The sign-in page. Gets `?callbackUrl=` to return to; after a failure also `?error=<type>`, and `code` for
   * credentials.
   */
  signIn: string
  /** The page that confirms a sign-out. Its form posts to `<mount>/signout`. */
  signOut: string
  /** The error page. Gets `?error=<type>`. */
  error: string
  /** The page that says that an email link was sent. Gets `?provider=<id>&type=email`. */
  verifyRequest: string
  /** The page after a user's first sign-in. */
  newUser: string
}

/**
 * The paths of custom pages for the provider `Password`. Their forms post to the routes with the field `csrfToken`.
 * After invalid input users return to them with `?error=<type>`, and `code=<reason>` for a rejected password.
 */
export interface PasswordPages {
  /** The sign-up page. Its form posts `email` and `password` to `<mount>/signup/<id>`. */
  signUp?: string
  /** The page for a forgotten password. Its form posts `email` to `<mount>/password/forgot`. */
  forgotPassword?: string
  /**
   * The page behind the link, which is not in its URL. Its form posts `password` to `<mount>/password/reset`, and the
   * page's parameter `link` in the field `link`. `GET <mount>/password/reset` with `Accept: application/json` returns
   * `{ email, link }`.
   */
  resetPassword?: string
  /**
   * The page that changes the password of the signed-in user. Its form posts `current` and `password` to
   * `<mount>/password/change`.
   */
  changePassword?: string
}

/** The paths of custom pages for second factors. Both get the query of the built-in pages. */
export interface FactorPages {
  /** The page that requests the second factor, in place of `two-factor`. */
  twoFactor?: string
  /** The page that lists, adds and removes second factors, in place of `two-factor?setup`. */
  twoFactorSetup?: string
}

/** A function that renders a page with a question. @returns The whole HTML document. */
export type ConfirmationRenderer = (page: ConfirmationPage) => string

/**
 * The functions that render pages whose form contains a sealed value. The response has the headers of the built-in
 * page.
 */
export interface RenderedPages {
  /** Renders the question for a user who opens an email link in another browser than the one that requested it. */
  confirmEmail?: ConfirmationRenderer
  /** Renders the question before an account gets another email address. */
  changeEmail?: ConfirmationRenderer
  /**
   * Renders the question before an account at a provider is connected, if the user did not come from a page of the
   * site.
   */
  connect?: ConfirmationRenderer
}

/** The option `pages`. */
export interface CustomPages extends Partial<PagesOptions>, PasswordPages, FactorPages, RenderedPages {}

/** A question, and the form that answers it. All values are text: escape them before they become HTML. */
export interface ConfirmationPage {
  /**
   * The question. `confirm-email`: sign in by an email link. `change-email`: change the email address. `connect`:
   * connect an account.
   */
  kind: 'confirm-email' | 'change-email' | 'connect'
  /** The URL that the form is posted to. */
  action: string
  /** The hidden inputs of the form, by name. All are required, unchanged. */
  fields: Readonly<Record<string, string>>
  /**
   * `true` if this user may confirm. With `false` there is no form: the user must sign in or out, and open the link
   * again.
   */
  canConfirm: boolean
  /** The email address of the link's user, or the new one. Absent if an account is connected. */
  address?: string
  /** The current email address of the account, or `null`. Only for a change of address. */
  formerAddress?: string | null
  /**
   * The effect of an email link on the signed-in user. `prove`: their address is verified. `other-user`: another user
   * is signed in. `new-user`: a new user is signed in. Absent without a signed-in user.
   */
  effect?: 'prove' | 'other-user' | 'new-user'
  /** The name of the provider whose account is connected. */
  provider?: string
  /** The email address, or the name, of the signed-in user. */
  signedInAs?: string
  /**
   * The initial state of a checkbox `remember` with the value `1`, which keeps the user signed in. Absent if there is
   * none.
   */
  remember?: boolean
  /** The URL of the sign-in page. */
  signInUrl: string
  /** The URL of the sign-out page. */
  signOutUrl: string
  /** The language of the page, as a BCP 47 tag. */
  locale: string
  /** The `nonce` of `style` and `script` elements: the Content-Security-Policy of the response allows no others. */
  nonce: string
}
