/** The languages of the built-in pages and mails. */
import type { Messages } from '../i18n/en.js'

export type { Messages } from '../i18n/en.js'

/** The languages of the built-in pages, of mails, and of what errors say to people. */
export interface I18nOptions {
  /**
   * The languages that are offered, as BCP 47 tags such as `de` or `pt-BR`. The first is for people who read none of them. A person
   * gets the one that suits their browser best (`Accept-Language`, RFC 4647 §3.4).
   */
  locales: readonly string[]
  /** The words of each language but English, from `server-auth/i18n/<language>`, or your own. `de` serves `de-CH`, too. */
  messages?: Readonly<Record<string, Messages>>
  /**
   * Says which language a request is for, such as by a cookie or a part of the URL. `undefined`, and a language that is not offered,
   * leave it to the browser's header. What it throws is logged, and leaves it to the header, too.
   *
   * @param request URL and headers of the request. It has no body.
   */
  resolve?(request: Request): string | undefined
}
