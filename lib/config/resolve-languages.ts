/** The option `i18n`: the languages of the pages and mails. */
import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { Language, LanguageRequest, Languages } from '../contracts/index.js'
import { toError } from '../errors.js'
import { forLanguage, lookUpLanguage, wantedLanguages } from '../http/accept-language.js'
import { header, toFetchHeaders } from '../http/message.js'
import en, { type Messages } from '../i18n/en.js'
import type { I18nOptions } from '../types/i18n.js'
import { english } from './defaults.js'
import { refuse } from './refusal.js'
import { type Check, functionOf, record, shape } from './shape.js'

/** A tag as pages and `Intl` take it (RFC 5646). */
function isTag(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

const locales: Check<readonly string[]> = (name, value) => {
  if (!Array.isArray(value) || value.length === 0) {
    return refuse(
      name,
      'must be a list of language tags, such as ["en", "de"]. The first is for people who read none of them.',
    )
  }
  for (const tag of value) {
    if (!isTag(tag)) refuse(name, `has ${JSON.stringify(tag)}, which is no language tag such as "de" or "pt-BR".`)
  }
  return Object.freeze([...value])
}

const messages: Check<Readonly<Record<string, Messages>> | undefined> = (name, value) => {
  const given = record(name, value)
  for (const [tag, all] of Object.entries(given ?? {})) assertComplete(`${name}.${tag}`, all)
  return given as Readonly<Record<string, Messages>> | undefined
}

/** A text that is missing would leave a hole on a page in production; one without its placeholder would leave out the site or an address. */
function assertComplete(name: string, value: unknown): void {
  if (!isRecord(value))
    refuse(name, 'must be the messages of a language, such as the default export of "server-auth/i18n/de".')
  const given: Readonly<Record<string, unknown>> = Object(value)
  for (const [key, english] of Object.entries(en)) {
    const text = given[key]
    if (typeof text !== 'string' || text === '')
      refuse(`${name}["${key}"]`, `is missing. In English: ${JSON.stringify(english)}`)
    else if (key === 'direction' && text !== 'ltr' && text !== 'rtl')
      refuse(`${name}.direction`, 'must be "ltr" or "rtl".')
    else assertPlaceholders(`${name}["${key}"]`, text, english)
  }
}

function assertPlaceholders(name: string, text: string, english: string): void {
  const namesIn = (each: string) => new Set(each.match(/\{\w+\}/g) ?? [])
  const [own, wanted] = [namesIn(text), namesIn(english)]
  for (const each of wanted)
    if (!own.has(each)) refuse(name, `must have ${each} in it. In English: ${JSON.stringify(english)}`)
  for (const each of own) if (!wanted.has(each)) refuse(name, `has ${each}, which nothing is put in for.`)
}

/** The option. */
export const i18nShape = shape({ locales, messages, resolve: functionOf<NonNullable<I18nOptions['resolve']>>() })

/** The check of the option, which may be left out. */
export const i18nSetting: Check<ReturnType<typeof i18nShape> | undefined> = (name, value) =>
  value === undefined ? undefined : i18nShape(name, value)

const onlyEnglish: Languages = Object.freeze({ of: () => english, uiLocales: () => undefined, areNegotiated: false })

/** The languages. Without the option there is English, and nothing of a request is looked at. */
export function resolveLanguages(options: ReturnType<typeof i18nShape> | undefined, logger: Logger): Languages {
  if (!options) return onlyEnglish
  const languages = new Map(
    options.locales.map((locale) => [locale.toLowerCase(), languageOf(locale, options.messages ?? {})]),
  )
  const offered = new Set(languages.keys())
  const [first = english] = languages.values()
  const find = (wanted: readonly string[]) => languages.get(lookUpLanguage(wanted, offered) ?? '')
  const { resolve } = options
  const choose = (request: LanguageRequest) => {
    const own = resolve && languageBy(resolve, request, logger)
    const chosen = own === undefined ? undefined : find([own])
    return chosen ?? find(wantedLanguages(header(request.headers, 'accept-language') ?? '')) ?? first
  }
  // Asked for several times within a request: by a page, by a mail.
  const known = new WeakMap<LanguageRequest, Language>()
  const of = (request: LanguageRequest) => {
    const language = known.get(request) ?? choose(request)
    known.set(request, language)
    return language
  }
  return Object.freeze({
    areNegotiated: languages.size > 1,
    of,
    uiLocales: (request: LanguageRequest) => of(request).locale,
  })
}

/** A language of the developer's own may go by the messages of a wider one: `de-CH` by those of `de`. */
function languageOf(locale: string, given: Readonly<Record<string, Messages>>): Language {
  const messages = forLanguage<Messages>(locale, { en, ...given })
  const [base = locale] = locale.split('-')
  if (!messages) {
    refuse(
      'i18n.locales',
      `has "${locale}", and \`i18n.messages\` has no "${base}": import ${base} from 'server-auth/i18n/${base}', and write \`messages: { ${base} }\`.`,
    )
  }
  return Object.freeze({ locale: Intl.getCanonicalLocales(locale)[0] ?? locale, messages })
}

/** What the developer's function says. A fault of it costs nobody the page. */
function languageBy(
  resolve: NonNullable<I18nOptions['resolve']>,
  { url, headers }: LanguageRequest,
  logger: Logger,
): string | undefined {
  try {
    const found: unknown = resolve(new Request(url, { headers: toFetchHeaders(headers) }))
    return isTag(found) ? found : undefined
  } catch (thrown) {
    logger.error(toError(thrown))
    return undefined
  }
}
