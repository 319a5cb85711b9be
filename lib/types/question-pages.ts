/** Pages of the developer's own for the questions that a person answers before something happens. */

/** A question, and the form that answers it. Whatever stands in it is text: escape it before it becomes HTML. */
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

/** Makes a page out of a question. @returns The whole HTML document. */
export type QuestionRenderer = (page: QuestionPage) => string

/** Pages in the place of the built-in ones. They are answered with the same headers. */
export interface QuestionPagesOptions {
  /** Asks who opens a mailed link in another browser than the one that asked for it. */
  confirmEmail?: QuestionRenderer
  /** Asks before an account gets another address. */
  changeEmail?: QuestionRenderer
  /** Asks before an account at a service is connected, where no page of the site has led there. */
  connect?: QuestionRenderer
}
