/** The languages of the pages and mails, resolved. */
import type { MessageHeaders } from '../http/message.js'
import type { Messages } from '../i18n/en.js'

/** A language with its texts. */
export interface Language {
  /** The BCP 47 tag, such as `de-CH`. */
  readonly locale: string
  readonly messages: Messages
}

/** The parts of a request that determine its language. */
export interface LanguageRequest {
  readonly headers: MessageHeaders
  readonly url: URL
}

/** The languages of a configuration. */
export interface Languages {
  /** Returns the language of a request. Never throws. */
  forRequest(request: LanguageRequest): Language
  /** Returns the languages to request from providers (`ui_locales`, OpenID Connect Core §3.1.2.1). */
  uiLocales(request: LanguageRequest): string | undefined
  /** `true` if the language depends on the request. Responses then say so. */
  readonly areNegotiated: boolean
}
