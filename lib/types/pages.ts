/**
 * The option `pages`: custom pages in the place of the built-in ones. A page with nothing to hide is a path. A page whose form carries a
 * sealed value is a function: in the query of another page, the value would be in that page's log and `Referer`.
 */

/** Paths (or URLs) of custom pages. */
export interface PagesOptions {
  /** Gets `?callbackUrl=` to return to; after a failure `?error=<type>`, and `code` for credentials. */
  signIn: string
  /** Asks before it signs out. A form of yours posts to `<mount>/signout`. */
  signOut: string
  /** Gets `?error=<type>`. */
  error: string
  /** Says that a mail with a link is under way. Gets `?provider=<id>&type=email`. */
  verifyRequest: string
  /** The page after a user's very first sign-in. */
  newUser: string
}

/**
 * Paths of custom pages for the provider `Password`. Their forms post to our routes with the field `csrfToken`. Refused input leads back to
 * them with `?error=<type>`, and `code=<reason>` for a rejected password.
 */
export interface PasswordPages {
  /** Registers a new user. The form posts `email` and `password` to `<mount>/signup/<id>`. */
  signUp?: string
  /** Sends the link of a forgotten password. The form posts `email` to `<mount>/password/forgot`. */
  forgotPassword?: string
  /**
   * Opens after the link, which is not in its URL. The form posts `password` to `<mount>/password/reset`, and the parameter `link` of
   * the page in the field `link`. `GET <mount>/password/reset` with `Accept: application/json` returns `{ email, link }`.
   */
  resetPassword?: string
  /** Changes the password of the signed-in user. The form posts `current` and `password` to `<mount>/password/change`. */
  changePassword?: string
}

/** Paths of custom pages for second factors. Both get the query of the built-in ones. */
export interface FactorPages {
  /** Asks for the second factor: in the place of `two-factor`. */
  twoFactor?: string
  /** Lists, adds and removes second factors: in the place of `two-factor?setup`. */
  twoFactorSetup?: string
}

/** Renders a page that asks a question. @returns The whole HTML document. */
export type QuestionRenderer = (page: QuestionPage) => string

/** Functions that render pages whose form carries a sealed value. The answer has the headers of the built-in page. */
export interface RenderedPages {
  /** Asks a user who opens an email link in another browser than the one that asked for it. */
  confirmEmail?: QuestionRenderer
  /** Asks before an account gets another email address. */
  changeEmail?: QuestionRenderer
  /** Asks before an account at a provider is connected, where no page of the site has led there. */
  connect?: QuestionRenderer
}

/** The option `pages`. */
export interface CustomPages extends Partial<PagesOptions>, PasswordPages, FactorPages, RenderedPages {}

/** A question, and the form that answers it. All values are text: escape them before they become HTML. */
export interface QuestionPage {
  /** What is asked. `confirm-email`: to sign in by a mailed link. `change-email`: to have another address. `connect`: to connect an account. */
  kind: 'confirm-email' | 'change-email' | 'connect'
  /** The URL that the form is posted to. */
  action: string
  /** The hidden inputs of the form, by name: all of them are needed, as they are. */
  fields: Readonly<Record<string, string>>
  /** Whether this person may say yes. `false`: there is no form; they have to sign in, or out, and open the link again. */
  canConfirm: boolean
  /** Whom the link signs in, or the new address. Absent where an account is connected. */
  address?: string
  /** The address that the account has so far; `null` where it has none. For a change of address only. */
  formerAddress?: string | null
  /**
   * What a mailed link does to who is signed in here. `prove`: the address is theirs. `other-user`: it signs in as somebody else.
   * `new-user`: as a new user. Absent: nobody is signed in.
   */
  effect?: 'prove' | 'other-user' | 'new-user'
  /** The name of the service whose account is connected. */
  provider?: string
  /** The address, else the name, of who is signed in here. */
  signedInAs?: string
  /** Present where a box `remember` with the value `1` keeps the person signed in: whether it is ticked. */
  remember?: boolean
  /** The sign-in page. */
  signInUrl: string
  /** The sign-out page. */
  signOutUrl: string
  /** The language of the page, as a BCP 47 tag. */
  locale: string
  /** What `style` and `script` elements carry as `nonce`: the Content-Security-Policy of the answer allows no others. */
  nonce: string
}
