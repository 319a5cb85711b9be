/** The texts of errors, by type. */
import type { Language } from '../contracts/index.js'
import { errorClasses } from '../errors.js'
import type { MessageKey } from '../i18n/en.js'
import { translate } from './texts.js'

/** The texts of the error page. */
export interface ErrorTexts {
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** True if the page offers to sign in again. */
  readonly signIn: boolean
}

/** Returns the texts of the error page for a type in the query. Types for the sign-in page have no texts here. */
export function errorTexts(language: Language, error: string | undefined): ErrorTexts {
  const known = errorPageClass(error)
  if (!known) return errorTextsFor(language, error === 'Configuration' ? 'Configuration' : 'unknown', false)
  return errorTextsFor(language, error ?? '', known.signIn)
}

/** Returns the status of the error page for a type. */
export function errorStatus(error: string | undefined): number {
  // The type that replaces all types that clients may not learn.
  if (error === 'Configuration') return 500
  return errorPageClass(error)?.status ?? 200
}

function errorPageClass(error: string | undefined): { status: number; signIn: boolean } | undefined {
  const known = errorClasses.get(error ?? '')
  return known?.kind === 'error' && known.shown
    ? { status: known.status, signIn: known.shown.signIn ?? true }
    : undefined
}

function errorTextsFor({ messages }: Language, type: string, signIn: boolean): ErrorTexts {
  const [heading = '', text = ''] = ['heading', 'text'].map((part) => readText(messages, `error.${type}.${part}`))
  return { heading, paragraphs: text.split('\n'), signIn }
}

/**
 * Returns the text for the sign-in page and JSON, in one paragraph. `undefined` for types that clients may not learn.
 */
export function errorSentence({ messages }: Language, type: string): string | undefined {
  if (!errorClasses.get(type)?.shown) return undefined
  return readText(messages, `error.${type}.text`)?.replaceAll('\n', ' ')
}

/** Returns the text for a failure whose type clients may not learn. */
export function siteProblem(language: Language, reference: string | undefined): string {
  const problem = translate(language, 'signIn.unavailable')
  return reference === undefined ? problem : `${problem} ${translate(language, 'error.reference', { reference })}`
}

/** Returns the sign-in page's text for an error. */
export function signInErrorText(language: Language, error: string): string {
  const type = synonyms.get(error) ?? error
  if (errorClasses.get(type)?.kind === 'signIn')
    return errorSentence(language, type) ?? translate(language, 'signIn.failed')
  return translate(language, otherErrorKeys.get(error) ?? 'signIn.failed')
}

/** Values that are not our types. A map, because an object would also find `constructor`. */
const otherErrorKeys: ReadonlyMap<string, PlainKey> = new Map<string, PlainKey>([
  ['Configuration', 'signIn.unavailable'],
  // Values of Auth.js, which applications and bookmarks may still use.
  ['EmailSignin', 'signIn.mailFailed'],
  ['OAuthCreateAccount', 'signIn.notCreated'],
  ['EmailCreateAccount', 'signIn.notCreated'],
])

type PlainKey = Extract<MessageKey, 'signIn.unavailable' | 'signIn.mailFailed' | 'signIn.notCreated' | 'signIn.failed'>

/** Values of Auth.js for our types. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['Signin', 'OAuthSignInError'],
  ['OAuthSignin', 'OAuthSignInError'],
  ['Callback', 'OAuthCallbackError'],
])

/** Only our types are passed, and a test checks that each has texts. */
function readText(messages: Language['messages'], key: string): string | undefined {
  const all: Readonly<Record<string, string>> = messages
  return Object.hasOwn(all, key) ? all[key] : undefined
}
