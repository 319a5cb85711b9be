/** The page on which a person chooses how to sign in. */

import type { Language } from '../contracts/index.js'
import type { User } from '../types/identity.js'
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider-parts.js'
import { signInWords } from './error-words.js'
import { type Html, html } from './html.js'
import { renderInput } from './input.js'
import { hostName, type PageFrame, renderLayout, siteName } from './layout.js'
import { readLogo, toHref } from './links.js'
import {
  type CaptchaWidget,
  type RememberBox,
  renderBadge,
  renderCaptcha,
  renderCaptchaScript,
  renderHiddenInputs,
  renderPerson,
  renderRememberBox,
  withinLimit,
} from './parts.js'
import { type PasskeyForm, renderPasskeyForm, renderPasskeyScript } from './passkey-form.js'
import { preparePage } from './prepared.js'
import { badgeRules } from './styles.js'
import { htmlOf, textOf } from './words.js'

interface EntryBase {
  readonly id: string
  readonly name: string
  /** URL that the form is posted to. */
  readonly action: string
}

/** A way to sign in: a button that leads to a provider, a form of ours, or a passkey. */
export type SignInEntry =
  | (EntryBase & { readonly kind: 'redirect'; readonly style: OAuthProviderButtonStyles })
  | (EntryBase & {
      readonly kind: 'credentials'
      readonly inputs: Readonly<Record<string, CredentialInput>>
      /** What the person typed before it was refused, by field. */
      readonly typed?: Readonly<Record<string, string>> | undefined
    })
  | (EntryBase & { readonly kind: 'email' })
  | (PasskeyForm & { readonly kind: 'passkey' })

/** Somebody who is signed in while this page is shown. */
export interface SignedInHere {
  readonly user: User
  readonly signOutUrl: string
  /** Whether another way to sign in is added to the account. */
  readonly links: boolean
}

type FormEntry = Extract<SignInEntry, { kind: 'credentials' | 'email' }>

/** What the sign-in page shows. */
export interface SignInPage {
  readonly frame: PageFrame
  readonly entries: readonly SignInEntry[]
  readonly csrfToken: string
  readonly callbackUrl: string
  /** Present where it is offered. */
  readonly remember?: RememberBox | undefined
  /** Type of the error that brought the person here, as the query says it. */
  readonly error?: string
  readonly signedIn?: SignedInHere
  /** Present where it is asked. */
  readonly captcha?: CaptchaWidget | undefined
}

/** The sign-in page. */
export function renderSignIn(page: SignInPage): string {
  const entries = page.entries.filter((entry) => entry.kind !== 'credentials' || Object.keys(entry.inputs).length > 0)
  return renderLayout(page.frame, {
    name: 'sign-in',
    title: textOf(page.frame.language, 'signIn.title'),
    rules: entries.flatMap((entry, place) => (entry.kind === 'redirect' ? badgeRules(place, entry.style) : [])),
    main: html`${renderHeading(page.frame)}
${page.error !== undefined && renderMessage(page.frame.language, page.error)}${page.signedIn && renderSignedIn(page.frame.language, page.signedIn, entries)}${renderEntries(entries, page)}`,
  })
}

/** What of a sign-in page is the same for each visitor, where nothing is to be said to them. */
export type CommonSignInPage = Pick<SignInPage, 'entries' | 'remember'> & { readonly frame: Omit<PageFrame, 'nonce'> }

/** What each visitor's own has. */
export type OwnSignInPage = Pick<SignInPage, 'csrfToken' | 'callbackUrl'> & Pick<PageFrame, 'nonce'>

/** Prepares the sign-in page for all who are signed out, and come without an error. */
export function prepareSignIn({ frame, entries, remember }: CommonSignInPage): (own: OwnSignInPage) => string {
  const fill = preparePage(['csrfToken', 'callbackUrl', 'nonce'], ({ nonce, ...marks }) =>
    renderSignIn({ frame: { ...frame, nonce }, entries, remember, ...marks }),
  )
  return (own) => fill({ ...own, callbackUrl: withinLimit(own.callbackUrl) })
}

function renderHeading(frame: PageFrame): Html {
  const { language, theme } = frame
  if (theme.name !== undefined) return html`<h1>${htmlOf(language, 'signIn.titleOf', { site: siteName(frame) })}</h1>`
  const site = html`<strong>${hostName(frame)}</strong>`
  return html`<h1>${textOf(language, 'signIn.title')}</h1>\n<p class="lead">${htmlOf(language, 'signIn.lead', { site })}</p>`
}

/** What is said for a type of error, out of the query. */
function renderMessage(language: Language, error: string): Html {
  return error === 'SessionRequired'
    ? html`<div class="note" role="status"><p>${textOf(language, 'signIn.required')}</p></div>\n`
    : html`<div class="error" role="alert"><p>${signInWords(language, error)}</p></div>\n`
}

function renderSignedIn(
  language: Language,
  { user, signOutUrl, links }: SignedInHere,
  entries: readonly SignInEntry[],
): Html {
  const added = links ? whatIsAdded(language, entries) : undefined
  return html`<div class="note" role="note"><p>${textOf(language, 'signIn.already')}</p>
${renderPerson(user)}<p>${added ?? textOf(language, 'signIn.replaces')} <a href="${toHref(signOutUrl)}">${textOf(language, 'signOut.button')}</a></p></div>\n`
}

/** What a sign-in inside a session comes to, by its kind: passwords and mailed links are added to nothing. */
function whatIsAdded(language: Language, entries: readonly SignInEntry[]): string | undefined {
  const provider = entries.find(({ kind }) => kind === 'redirect')?.name
  const makesPasskey = entries.some((entry) => entry.kind === 'passkey' && Object.keys(entry.inputs).length > 0)
  if (!makesPasskey && provider === undefined) return undefined
  const added =
    provider === undefined
      ? textOf(language, 'signIn.addsPasskey')
      : textOf(language, makesPasskey ? 'signIn.addsBoth' : 'signIn.addsService', { provider })
  const rest = entries.some(({ kind }) => kind !== 'redirect')
  return rest ? `${added} ${textOf(language, 'signIn.othersReplace')}` : added
}

function renderEntries(entries: readonly SignInEntry[], page: SignInPage): Html {
  if (entries.length === 0) return html`<p class="text">${textOf(page.frame.language, 'signIn.nothing')}</p>`
  const rendered = entries.map((entry, place) => [
    isDivided(entries[place - 1], entry) && html`<p class="or">${textOf(page.frame.language, 'signIn.or')}</p>\n`,
    page.remember && entry.kind === 'redirect'
      ? renderButtons(place, entries, page)
      : renderEntry(entry, entries, page),
    '\n',
  ])
  const script = entries.some(({ kind }) => kind === 'passkey') && renderPasskeyScript(page.frame.nonce)
  return html`<div class="entries">\n${rendered}</div>${script}${page.captcha && entries.some(isForm) && renderCaptchaScript(page.captcha, page.frame.nonce)}`
}

function renderEntry(entry: SignInEntry, entries: readonly SignInEntry[], page: SignInPage): Html {
  const { csrfToken, callbackUrl, frame } = page
  if (entry.kind === 'passkey') {
    const { language } = frame
    return renderPasskeyForm(entry, {
      language,
      csrfToken,
      callbackUrl,
      remember: page.remember,
      ...placeOf(entry, entries),
    })
  }
  return html`<form method="post" action="${toHref(entry.action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${entry.kind === 'redirect' ? renderButton(entry, entries.indexOf(entry), frame) : renderForm(entry, entries, page)}
</form>`
}

/** With a box there is one form for all buttons that stand together: the box is there once. */
function renderButtons(place: number, entries: readonly SignInEntry[], page: SignInPage): Html | undefined {
  if (entries[place - 1]?.kind === 'redirect') return undefined
  const end = entries.findIndex(({ kind }, at) => at > place && kind !== 'redirect')
  const group = entries.slice(place, end < 0 ? undefined : end).filter((entry) => entry.kind === 'redirect')
  const [first] = group
  if (!first) return undefined
  const { csrfToken, callbackUrl, remember, frame } = page
  return html`<form method="post" action="${toHref(first.action)}" class="entries">
${renderHiddenInputs(csrfToken, callbackUrl)}
${remember && renderRememberBox(frame.language, remember, first.id)}
${group.map((entry, at) => [renderButton(entry, place + at, frame, entry.action), '\n'])}</form>`
}

/** Alone of its kind, a button need not say which. The first way on the page is filled in colour, the others are outlined. */
function placeOf(entry: SignInEntry, entries: readonly SignInEntry[]) {
  return {
    isAlone: entries.every(({ id, kind }) => kind !== entry.kind || id === entry.id),
    isPrimary: entry === entries[0],
  }
}

function isForm(entry: SignInEntry): entry is FormEntry {
  return entry.kind === 'credentials' || entry.kind === 'email'
}

/** Buttons stand together; a form is set off from what is before and after it. */
function isDivided(before: SignInEntry | undefined, entry: SignInEntry): boolean {
  return before !== undefined && !(before.kind === 'redirect' && entry.kind === 'redirect')
}

function renderButton(
  entry: Extract<SignInEntry, { kind: 'redirect' }>,
  place: number,
  frame: PageFrame,
  action?: string,
): Html {
  const { mark } = entry.style
  const badge = renderBadge(entry.name, { logo: readLogo(entry.style.logo, frame.host), mark })
  return html`<button type="submit" class="provider${place === 0 && ' primary'} provider-${place}"${
    action !== undefined && html` formaction="${toHref(action)}"`
  }>${badge}<span>${htmlOf(frame.language, 'signIn.with', { provider: entry.name })}</span></button>`
}

/** Whether passkeys are to be suggested, and have no input of their own for it: then those of the other forms serve. */
function lackInput(entries: readonly SignInEntry[]): boolean {
  return entries.some(
    (entry) => entry.kind === 'passkey' && entry.conditional && Object.keys(entry.inputs).length === 0,
  )
}

function renderForm(entry: FormEntry, entries: readonly SignInEntry[], { frame, remember, captcha }: SignInPage): Html {
  const { language } = frame
  const { isAlone, isPrimary } = placeOf(entry, entries)
  // The id of the published pages' button can be given once only.
  const isFirst = entry === entries.find(isForm)
  const offersPasskeys = lackInput(entries)
  const inputs = Object.entries(entry.kind === 'email' ? addressInput(language) : entry.inputs)
  const typed = entry.kind === 'credentials' ? entry.typed : undefined
  const extras = (field: string) => ({
    offersPasskeys,
    required: true,
    typed: typed && Object.hasOwn(typed, field) ? typed[field] : undefined,
  })
  return html`<div class="fields">
${inputs.map(([field, input]) => [renderInput(language, field, input, entry.id, extras(field)), '\n'])}${remember && html`${renderRememberBox(language, remember, entry.id)}\n`}${captcha && html`${renderCaptcha(language, captcha)}\n`}<button type="submit" class="button${!isPrimary && ' quiet'}"${isFirst && html` id="submitButton"`}>${formButton(language, entry, isAlone)}</button>
</div>`
}

function formButton(language: Language, { kind, name }: FormEntry, isAlone: boolean): Html | string {
  if (isAlone) return textOf(language, kind === 'email' ? 'signIn.sendLink' : 'signIn.button')
  return htmlOf(language, kind === 'email' ? 'signIn.sendLinkWith' : 'signIn.with', { provider: name })
}

/** 254: the longest address that a mail server takes (RFC 5321 §4.5.3.1.3). */
const addressInput = (language: Language): Readonly<Record<string, CredentialInput>> => ({
  email: {
    label: textOf(language, 'signIn.address'),
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    placeholder: textOf(language, 'signIn.addressExample'),
    maxlength: 254,
    required: true,
  },
})
