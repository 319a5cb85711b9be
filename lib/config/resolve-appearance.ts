/** The options `pages`, `theme` and `i18n`: custom pages, and the look and languages of the built-in ones. */

import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { Language, LanguageRequest, Languages, ResolvedConfig } from '../contracts/index.js'
import { toError } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { forLanguage, lookUpLanguage, wantedLanguages } from '../http/accept-language.js'
import { header, toFetchHeaders } from '../http/message.js'
import en, { type Messages } from '../i18n/en.js'
import type { I18nOptions } from '../types/i18n.js'
import type { ConfirmationRenderer, CustomPages } from '../types/pages.js'
import { rejectOption } from './reject-option.js'
import {
  boolean,
  type Check,
  colour,
  functionOf,
  nonEmptyText,
  oneOf,
  optional,
  pathOrUrl,
  record,
  shape,
} from './shape.js'
import { english } from './site.js'

/** A path or URL. A path without its slash gets its own message. */
const pagePath: Check<string | undefined> = (name, value) => {
  const given = nonEmptyText(name, value)
  if (given && /^[\w.-]+(?:\/|$)/.test(given)) rejectOption(name, `must begin with a slash: "/${given}".`)
  return pathOrUrl(name, given)
}

const pageRenderer = functionOf<ConfirmationRenderer>()

/** The option `pages`. */
export const pagesShape = shape({
  ...{ signIn: pagePath, signOut: pagePath, error: pagePath, verifyRequest: pagePath, newUser: pagePath },
  ...{ signUp: pagePath, forgotPassword: pagePath, resetPassword: pagePath, changePassword: pagePath },
  ...{ twoFactor: pagePath, twoFactorSetup: pagePath },
  ...{ confirmEmail: pageRenderer, changeEmail: pageRenderer, connect: pageRenderer },
} satisfies Record<keyof CustomPages, Check<unknown>>)

type PageConfig = Pick<ResolvedConfig, 'providers' | 'factors' | 'tokens' | 'site' | 'logger'>

/** The pages of each feature, the check of its configuration, and the message if it is not configured. */
const featurePages: readonly {
  readonly keys: readonly (keyof CustomPages)[]
  readonly isOn: (config: PageConfig) => boolean
  readonly message: string
}[] = [
  {
    keys: ['twoFactor', 'twoFactorSetup'],
    isOn: ({ factors }) => factors !== undefined,
    message: 'is a page of second factors, and `factors` is not set. Set it, or remove the page.',
  },
  {
    keys: ['signUp', 'forgotPassword', 'resetPassword', 'changePassword'],
    isOn: (config) => passwordProviderOf(config) !== undefined,
    message: 'is a page of the provider `Password`, and `providers` has none. Add it, or remove the page.',
  },
  {
    keys: ['confirmEmail', 'changeEmail'],
    isOn: ({ providers }) => [...providers.values()].some(({ kind }) => kind === 'email'),
    message: 'is a page behind an email link, and `providers` has no email provider. Add one, or remove the page.',
  },
  {
    keys: ['connect'],
    isOn: ({ tokens }) => tokens !== undefined,
    message: 'is a page of provider tokens, and `tokens` is not set. Set it, or remove the page.',
  },
]

/**
 * Rejects pages of a feature that is not configured, because they would have no effect. Warns about pages on another
 * origin, which are unusual.
 */
export function checkPages(pages: CustomPages, config: PageConfig): void {
  for (const { keys, isOn, message } of featurePages) {
    const unusedPage = keys.find((key) => pages[key] !== undefined)
    if (unusedPage && !isOn(config)) rejectOption(`pages.${unusedPage}`, message)
  }
  for (const [key, page] of Object.entries(pages)) {
    if (typeof page !== 'string' || page.startsWith('/') || new URL(page).origin === config.site?.origin) continue
    config.logger.warn(
      'foreign-page',
      `\`pages.${key}\` leads to another origin, ${new URL(page).origin}. A path such as "/sign-in" is usual.`,
    )
  }
}

/** The name is also in the subject of mails, where a line break would begin another header. */
const siteName: Check<string | undefined> = (name, value) => {
  const called = nonEmptyText(name, value)
  if (called && (called.length > 100 || called.trim() === '' || /\p{C}/u.test(called))) {
    rejectOption(name, 'must be one line of at most 100 characters.')
  }
  return called
}

/** The option `theme`, with colours and logos that are safe in a page. */
export const themeShape = shape({
  name: siteName,
  colorScheme: oneOf('auto', 'light', 'dark'),
  logo: pathOrUrl,
  logoDark: pathOrUrl,
  brandColor: colour,
  buttonText: colour,
  radius: optional<number>(
    (value) => typeof value === 'number' && value >= 0 && value <= 32,
    'must be a number of pixels from 0 to 32, not {kind}.',
  ),
  font: optional<string>(
    isFontList,
    'must be a list of font names such as "Inter, Arial", of letters, digits and hyphens.',
  ),
  css: optional<string>(isCss, 'must be CSS rules without "</" and backslashes.'),
  showPassword: boolean,
  lastUsed: boolean,
  identifierFirst: boolean,
})

/**
 * Checks a list of fonts, which is inserted into a style element and the `style` of mails' elements. Only names: no
 * quotes and no semicolons.
 */
function isFontList(value: unknown): boolean {
  return typeof value === 'string' && /^[\p{L}\p{N} _-]+(?:, ?[\p{L}\p{N} _-]+)*$/u.test(value) && value.length <= 200
}

/**
 * Checks CSS. The end of the style element would begin markup (HTML, "restrictions on the contents of raw text
 * elements").
 */
function isCss(value: unknown): boolean {
  return typeof value === 'string' && !/<\/|<!--|\\/.test(value)
}

/* ---- resolve languages ------------------------------------------------------------------------------------------- */

/** Checks whether a value is a language tag for pages and `Intl` (RFC 5646). */
function isLanguageTag(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

const locales: Check<readonly string[]> = (name, value) => {
  if (!Array.isArray(value) || value.length === 0) {
    return rejectOption(name, 'must be a list of language tags, such as ["en", "de"]. The first is the fallback.')
  }
  for (const tag of value) {
    if (!isLanguageTag(tag))
      rejectOption(name, `has ${JSON.stringify(tag)}, which is not a language tag such as "de" or "pt-BR".`)
  }
  return Object.freeze([...value])
}

const messages: Check<Readonly<Record<string, Messages>> | undefined> = (name, value) => {
  const given = record(name, value)
  for (const [tag, all] of Object.entries(given ?? {})) assertComplete(`${name}.${tag}`, all)
  return given as Readonly<Record<string, Messages>> | undefined
}

/**
 * Checks that all texts are present with their placeholders. A missing one would leave a gap on a page, or omit the
 * site or an email address.
 */
function assertComplete(name: string, value: unknown): void {
  if (!isRecord(value))
    rejectOption(name, 'must be the messages of a language, such as the default export of "server-auth/i18n/de".')
  const given: Readonly<Record<string, unknown>> = Object(value)
  for (const [key, english] of Object.entries(en)) {
    const text = given[key]
    if (typeof text !== 'string' || text === '')
      rejectOption(`${name}["${key}"]`, `is missing. In English: ${JSON.stringify(english)}`)
    else if (key === 'direction' && text !== 'ltr' && text !== 'rtl')
      rejectOption(`${name}.direction`, 'must be "ltr" or "rtl".')
    else assertPlaceholders(`${name}["${key}"]`, text, english)
  }
}

function assertPlaceholders(name: string, text: string, english: string): void {
  const namesIn = (each: string) => new Set(each.match(/\{\w+\}/g) ?? [])
  const [own, wanted] = [namesIn(text), namesIn(english)]
  for (const each of wanted)
    if (!own.has(each)) rejectOption(name, `must contain ${each}. In English: ${JSON.stringify(english)}`)
  for (const each of own) if (!wanted.has(each)) rejectOption(name, `has the unknown placeholder ${each}.`)
}

/** The option `i18n`. */
export const i18nShape = shape({ locales, messages, resolve: functionOf<NonNullable<I18nOptions['resolve']>>() })

/** The optional option `i18n`. */
export const i18nSetting: Check<ReturnType<typeof i18nShape> | undefined> = (name, value) =>
  value === undefined ? undefined : i18nShape(name, value)

const onlyEnglish: Languages = Object.freeze({
  forRequest: () => english,
  uiLocales: () => undefined,
  areNegotiated: false,
})

/** Returns the languages. Without the option there is only English, and requests are not read. */
export function resolveLanguages(options: ReturnType<typeof i18nShape> | undefined, logger: Logger): Languages {
  if (!options) return onlyEnglish
  const languages = new Map(
    options.locales.map((locale) => [locale.toLowerCase(), createLanguage(locale, options.messages ?? {})]),
  )
  const offered = new Set(languages.keys())
  const [first = english] = languages.values()
  const find = (wanted: readonly string[]) => languages.get(lookUpLanguage(wanted, offered) ?? '')
  const { resolve } = options
  const choose = (request: LanguageRequest) => {
    const own = resolve && callLanguageResolver(resolve, request, logger)
    const chosen = own === undefined ? undefined : find([own])
    return chosen ?? find(wantedLanguages(header(request.headers, 'accept-language') ?? '')) ?? first
  }
  // The language is read several times in a request, by pages and mails.
  const known = new WeakMap<LanguageRequest, Language>()
  const languageFor = (request: LanguageRequest) => {
    const language = known.get(request) ?? choose(request)
    known.set(request, language)
    return language
  }
  return Object.freeze({
    areNegotiated: languages.size > 1,
    forRequest: languageFor,
    uiLocales: (request: LanguageRequest) => languageFor(request).locale,
  })
}

/** Returns a language with its texts. A regional language may use those of a wider one: `de-CH` those of `de`. */
function createLanguage(locale: string, given: Readonly<Record<string, Messages>>): Language {
  const messages = forLanguage<Messages>(locale, { en, ...given })
  const [base = locale] = locale.split('-')
  if (!messages) {
    rejectOption(
      'i18n.locales',
      `has "${locale}", and \`i18n.messages\` has no "${base}": import ${base} from 'server-auth/i18n/${base}', and write \`messages: { ${base} }\`.`,
    )
  }
  return Object.freeze({ locale: Intl.getCanonicalLocales(locale)[0] ?? locale, messages })
}

/** Calls the developer's function. An error is logged and does not fail the page. */
function callLanguageResolver(
  resolve: NonNullable<I18nOptions['resolve']>,
  { url, headers }: LanguageRequest,
  logger: Logger,
): string | undefined {
  try {
    const found: unknown = resolve(new Request(url, { headers: toFetchHeaders(headers) }))
    return isLanguageTag(found) ? found : undefined
  } catch (thrown) {
    logger.error(toError(thrown))
    return undefined
  }
}
