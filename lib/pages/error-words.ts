/** What is said of an error, by its type. */
import type { Language } from '../contracts/index.js'
import { errorClasses } from '../errors.js'
import type { MessageKey } from '../i18n/en.js'
import { textOf } from './words.js'

/** What the error page says. */
export interface ErrorWords {
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Whether it offers to sign in again. */
  readonly signIn: boolean
}

/** What the error page says of a type, as the query has it. Of those that lead to the sign-in page it says nothing. */
export function errorWords(language: Language, error: string | undefined): ErrorWords {
  const known = pageOf(error)
  if (!known) return wordsFor(language, error === 'Configuration' ? 'Configuration' : 'unknown', false)
  return wordsFor(language, error ?? '', known.signIn)
}

/** The status of the error page for a type. */
export function errorStatus(error: string | undefined): number {
  // Whatever the outside may not know the type of.
  if (error === 'Configuration') return 500
  return pageOf(error)?.status ?? 200
}

function pageOf(error: string | undefined): { status: number; signIn: boolean } | undefined {
  const known = errorClasses.get(error ?? '')
  return known?.kind === 'error' && known.shown
    ? { status: known.status, signIn: known.shown.signIn ?? true }
    : undefined
}

function wordsFor({ messages }: Language, type: string, signIn: boolean): ErrorWords {
  const [heading = '', text = ''] = ['heading', 'text'].map((part) => read(messages, `error.${type}.${part}`))
  return { heading, paragraphs: text.split('\n'), signIn }
}

/** What is said in one paragraph, on the sign-in page and in JSON. `undefined` for what the outside may not know the type of. */
export function errorSentence({ messages }: Language, type: string): string | undefined {
  if (!errorClasses.get(type)?.shown) return undefined
  return read(messages, `error.${type}.text`)?.replaceAll('\n', ' ')
}

/** What is said of a fault that the outside may not know the type of. */
export function siteProblem(language: Language, reference: string | undefined): string {
  const problem = textOf(language, 'signIn.unavailable')
  return reference === undefined ? problem : `${problem} ${textOf(language, 'error.reference', { reference })}`
}

/** The sign-in page's words for what brought the person there. */
export function signInWords(language: Language, error: string): string {
  const type = synonyms.get(error) ?? error
  if (errorClasses.get(type)?.kind === 'signIn')
    return errorSentence(language, type) ?? textOf(language, 'signIn.failed')
  return textOf(language, keys.get(error) ?? 'signIn.failed')
}

/** Words that are no types of ours. A map, not an object: what a query says must not find `constructor`. */
const keys: ReadonlyMap<string, Plain> = new Map<string, Plain>([
  ['Configuration', 'signIn.unavailable'],
  // Of Auth.js, which applications and bookmarks may still have.
  ['EmailSignin', 'signIn.mailFailed'],
  ['OAuthCreateAccount', 'signIn.notCreated'],
  ['EmailCreateAccount', 'signIn.notCreated'],
])

type Plain = Extract<MessageKey, 'signIn.unavailable' | 'signIn.mailFailed' | 'signIn.notCreated' | 'signIn.failed'>

/** Words of Auth.js for types of ours. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['Signin', 'OAuthSignInError'],
  ['OAuthSignin', 'OAuthSignInError'],
  ['Callback', 'OAuthCallbackError'],
])

/** Only types of ours come here: of these each has its words, as a test counts. */
function read(messages: Language['messages'], key: string): string | undefined {
  const all: Readonly<Record<string, string>> = messages
  return Object.hasOwn(all, key) ? all[key] : undefined
}
