/** The languages of the pages and mails, resolved. */
import type { MessageHeaders } from '../http/message.js'
import type { Messages } from '../i18n/en.js'

/** A language that people read. */
export interface Language {
  /** Its BCP 47 tag, such as `de-CH`. */
  readonly locale: string
  readonly messages: Messages
}

/** What a language is chosen by. */
export interface LanguageRequest {
  readonly headers: MessageHeaders
  readonly url: URL
}

/** All languages of a configuration. */
export interface Languages {
  /** The language of whoever asks. Never throws. */
  of(request: LanguageRequest): Language
  /** What providers are asked for, who have languages, too (`ui_locales`, OpenID Connect Core §3.1.2.1). */
  uiLocales(request: LanguageRequest): string | undefined
  /** Whether the language depends on who asks: answers say so then. */
  readonly areNegotiated: boolean
}
