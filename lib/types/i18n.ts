/** The options of languages. */
import type { Messages } from '../i18n/en.js'

export type { Messages } from '../i18n/en.js'

/** The languages of the built-in pages, of mails, and of the error messages that users see. */
export interface I18nOptions {
  /**
   * The available languages, as BCP 47 tags such as `de` or `pt-BR`. The first is the fallback. Users get the best
   * match of their browser's `Accept-Language` (RFC 4647 §3.4).
   */
  locales: readonly string[]
  /**
   * The texts of each language except English, from `server-auth/i18n/<language>`, or your own. `de` is also used for
   * `de-CH`.
   */
  messages?: Readonly<Record<string, Messages>>
  /**
   * Returns the language of a request, for example from a cookie or the URL. If it returns `undefined` or a language
   * that is not available, or throws (which is logged), the browser's header decides.
   * @param request URL and headers of the request. It has no body.
   */
  resolve?(request: Request): string | undefined
}
