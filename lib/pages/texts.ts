/** The texts of a language, with their values. */
import type { Language } from '../contracts/index.js'
import en, { type MessageKey, type PlaceholdersIn } from '../i18n/en.js'
import type { VerificationRequest } from '../types/provider.js'
import { type Html, html } from './html.js'

type Names<Key extends MessageKey> = PlaceholdersIn<(typeof en)[Key]>

/** The values of a text: none, or one for each of its placeholders. */
type Values<Key extends MessageKey, Value> = [Names<Key>] extends [never]
  ? []
  : [values: { readonly [Name in Names<Key>]: Value }]

/** Checks whether a page is in any English. Some texts have their own English version elsewhere. */
export function isEnglish({ locale }: Language): boolean {
  return /^en\b/i.test(locale)
}

/** Returns a text as plain text. In right-to-left languages values keep their own direction (Unicode UAX #9). */
export function translate<Key extends MessageKey>(
  { messages }: Language,
  key: Key,
  ...[values]: Values<Key, string>
): string {
  const isolate = (value: string) => (messages.direction === 'rtl' ? `\u2068${value}\u2069` : value)
  return splitPlaceholders<string>(messages[key], values)
    .map(({ text, value }) => (value === undefined ? text : isolate(value)))
    .join('')
}

/** Returns a text as HTML. The text and all values are escaped, except values that are HTML. */
export function translateHtml<Key extends MessageKey>(
  { messages }: Language,
  key: Key,
  ...[values]: Values<Key, Html | string>
): Html {
  return html`${splitPlaceholders<Html | string>(messages[key], values).map(({ text, value }) =>
    value === undefined ? text : messages.direction === 'rtl' ? html`<bdi>${value}</bdi>` : value,
  )}`
}

interface Piece<Value> {
  readonly text: string
  readonly value?: Value | undefined
}

function splitPlaceholders<Value>(text: string, values: Readonly<Record<string, Value>> | undefined): Piece<Value>[] {
  if (!values) return [{ text }]
  return text.split(/(\{\w+\})/).map((piece) => {
    const name = piece.slice(1, -1)
    const isPlaceholder = piece.startsWith('{') && Object.hasOwn(values, name)
    return isPlaceholder ? { text: piece, value: values[name] } : { text: piece }
  })
}

/** Returns a duration, never longer than the real one: rounded down, in a unit of which there are at least two. */
export function formatDuration({ locale }: Language, seconds: number): string {
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second']
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.max(1, Math.floor(seconds / size)))
}

const units: ReadonlyArray<readonly [seconds: number, unit: string]> = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/* ---- mail words -------------------------------------------------------------------------------------------------- */

// The texts of an email with a link, by its purpose.

/** The purpose of an email link. */
export type LinkPurpose = Exclude<VerificationRequest['purpose'], 'second-factor'>
type TitleKey = 'mail.signIn' | 'mail.change' | 'mail.signUp' | 'mail.reset' | 'mail.haveAccount' | 'mail.invitation'

/** The texts of an email. */
export interface MailTexts {
  readonly titleKey: TitleKey
  readonly site: string
  readonly title: string
  /** The texts before the link in plain text, and before the button. */
  readonly open: string
  readonly openHtml: Html | string
  readonly button: string
  /** The lifetime of the link; empty if it does not expire. */
  readonly validity: string
  /** The advice in which browser to open it; empty if it does not matter. */
  readonly browserAdvice: string
  /** The text before the second link. */
  readonly secondAdvice: string
  readonly ignoreAdvice: string
}

/** The values of the texts. */
interface MailTextValues {
  readonly purpose: LinkPurpose
  readonly site: string
  /** The email address of the user that the link signs in. */
  readonly address: string | undefined
  /** In seconds. */
  readonly lifetime: number
  /** The name of the organization of an invitation. */
  readonly organization?: string | undefined
}

/** Returns the texts of an email. */
export function mailTexts(
  language: Language,
  { purpose, site, address, lifetime, organization = '' }: MailTextValues,
): MailTexts {
  const key = mailTitleKeys[purpose]
  const title = translate(language, key, { site })
  const common = { titleKey: key, site, title, ignoreAdvice: translate(language, `${key}Ignore`), secondAdvice: '' }
  if (key === 'mail.haveAccount') {
    const [open, secondAdvice] = [
      translate(language, 'mail.haveAccountOpen'),
      translate(language, 'mail.haveAccountReset'),
    ]
    const button = translate(language, 'mail.signInButton')
    return { ...common, open, openHtml: open, button, secondAdvice, validity: '', browserAdvice: '' }
  }
  const validity = translate(language, 'mail.validity', { lifetime: formatDuration(language, lifetime) })
  if (key === 'mail.invitation') {
    const button = translate(language, 'mail.invitationButton')
    return {
      ...{ ...common, button, validity, browserAdvice: '' },
      open: translate(language, 'mail.invitationOpen', { organization }),
      openHtml: translateHtml(language, 'mail.invitationPress', {
        organization: html`<strong>${organization}</strong>`,
      }),
    }
  }
  const isNamed = key === 'mail.signIn' && address !== undefined
  return {
    ...common,
    open: isNamed ? translate(language, 'mail.signInOpenAs', { address }) : translate(language, `${key}Open`),
    openHtml: isNamed
      ? translateHtml(language, 'mail.signInPressAs', { address: html`<strong>${address}</strong>` })
      : translate(language, `${key}Press`),
    button: translate(language, `${key}Button`),
    validity,
    browserAdvice: translate(language, `${key}Browser`),
  }
}

const mailTitleKeys: Readonly<Record<LinkPurpose, TitleKey>> = {
  'sign-in': 'mail.signIn',
  'change-email': 'mail.change',
  'sign-up': 'mail.signUp',
  'reset-password': 'mail.reset',
  'have-account': 'mail.haveAccount',
  invitation: 'mail.invitation',
}

/* ---- passkey words ----------------------------------------------------------------------------------------------- */

// The texts of the passkey script, for pages in another language than English, which the script contains.

/**
 * The keys by reason; `New` for the creation of a passkey. The script (`client/passkey-page.ts`) reads them by these
 * names.
 */
const passkeyTextKeys = {
  insecurePage: 'passkey.insecurePage',
  unsupportedBrowser: 'passkey.unsupportedBrowser',
  cancelled: 'passkey.cancelled',
  cancelledNew: 'passkey.cancelledNew',
  'not-allowed': 'passkey.notAllowed',
  'already-registered': 'passkey.alreadyRegistered',
  unsupported: 'passkey.unsupported',
  unsupportedNew: 'passkey.unsupportedNew',
  insecure: 'passkey.insecure',
  refused: 'passkey.refused',
  refusedNew: 'passkey.refusedNew',
  network: 'passkey.network',
  failed: 'passkey.failed',
  outage: 'signIn.unavailable',
} as const satisfies Readonly<Record<string, MessageKey>>

/** Checks whether the script does not contain the texts of a language. */
export function needsPasskeyTexts({ messages }: Language): boolean {
  return messages !== en
}

/** Returns the texts of a language. */
export function passkeyTexts({ messages }: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(passkeyTextKeys).map(([reason, key]) => [reason, messages[key]]))
}
