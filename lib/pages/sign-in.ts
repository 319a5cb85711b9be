/** The page on which a person chooses how to sign in. */
import type { CredentialInput, OAuthProviderButtonStyles } from '../providers/types.js'
import { renderBadge } from './badge.js'
import { renderHiddenInputs } from './form.js'
import type { Html } from './html.js'
import { html } from './html.js'
import { renderInput } from './input.js'
import type { PageFrame } from './layout.js'
import { hostName, renderLayout } from './layout.js'
import { readLogo, toHref } from './links.js'
import { type PasskeyForm, renderPasskeyForm, renderPasskeyScript } from './passkey-form.js'
import { badgeRules } from './styles.js'

interface EntryBase {
  readonly id: string
  readonly name: string
  /** URL that the form is posted to. */
  readonly action: string
}

/** A way to sign in: a button that leads to a provider, a form of ours, or a passkey. */
export type SignInEntry =
  | (EntryBase & { readonly kind: 'redirect'; readonly style: OAuthProviderButtonStyles })
  | (EntryBase & { readonly kind: 'credentials'; readonly inputs: Readonly<Record<string, CredentialInput>> })
  | (EntryBase & { readonly kind: 'email' })
  | (PasskeyForm & { readonly kind: 'passkey' })

type FormEntry = Extract<SignInEntry, { kind: 'credentials' | 'email' }>

/** What the sign-in page shows. */
export interface SignInPage {
  readonly frame: PageFrame
  readonly entries: readonly SignInEntry[]
  readonly csrfToken: string
  readonly callbackUrl: string
  /** Type of the error that brought the person here, as the query says it. */
  readonly error?: string
}

/** The sign-in page. */
export function renderSignIn(page: SignInPage): string {
  const entries = page.entries.filter((entry) => entry.kind !== 'credentials' || Object.keys(entry.inputs).length > 0)
  return renderLayout(page.frame, {
    name: 'sign-in',
    title: 'Sign in',
    rules: entries.flatMap((entry, place) => (entry.kind === 'redirect' ? badgeRules(place, entry.style) : [])),
    main: html`<h1>Sign in</h1>
<p class="lead">to continue to <strong>${hostName(page.frame)}</strong></p>
${page.error !== undefined && renderMessage(page.error)}${renderEntries(entries, page)}`,
  })
}

const tryAgain = 'Please try again, or choose another way to sign in.'
const notStarted = `Signing in could not be started. ${tryAgain}`
const notCompleted = `Signing in was not completed: it was cancelled, or the service did not confirm it. ${tryAgain}`
const notCreated = `An account could not be created for you. ${tryAgain}`
const notSent = 'The email could not be sent. Please check the address, then try again in a few minutes.'

/** A map, not an object: a type out of a query must not find `constructor`. */
const messages: ReadonlyMap<string, string> = new Map([
  [
    'OAuthAccountNotLinked',
    'You already have an account with this email address, but signed in to it another way. Please sign in the way you did the first time.',
  ],
  [
    'AccountNotLinked',
    'There is already an account with this email address, or this way to sign in belongs to a different account. Please sign in the way you did the first time.',
  ],
  ['EmailSignin', notSent],
  ['EmailSignInError', 'That is not an address we can send a link to. Please check it, then try again.'],
  ['CredentialsSignin', 'These sign-in details are not correct. Please check what you entered, then try again.'],
  ['SessionRequired', 'Please sign in to see this page.'],
  ['Signin', notStarted],
  ['OAuthSignin', notStarted],
  ['OAuthSignInError', notStarted],
  ['OAuthCallbackError', notCompleted],
  ['Callback', notCompleted],
  ['OAuthCreateAccount', notCreated],
  ['EmailCreateAccount', notCreated],
  [
    'MissingCSRF',
    'This page was out of date: it was open for too long, or you signed in or out in another tab. Please try again.',
  ],
  ['Configuration', 'This site has a problem, so signing in does not work right now. Please try again later.'],
])

function renderMessage(error: string): Html {
  return html`<div class="error" role="alert"><p>${messages.get(error) ?? `Signing in did not work. ${tryAgain}`}</p></div>\n`
}

function renderEntries(entries: readonly SignInEntry[], page: SignInPage): Html {
  if (entries.length === 0) return html`<p class="text">There is no way to sign in here yet.</p>`
  const rendered = entries.map((entry, place) => [
    isDivided(entries[place - 1], entry) && html`<p class="or">or</p>\n`,
    renderEntry(entry, place, page, entries),
    '\n',
  ])
  const script = entries.some(({ kind }) => kind === 'passkey') && renderPasskeyScript(page.frame.nonce)
  return html`<div class="entries">\n${rendered}</div>${script}`
}

function renderEntry(entry: SignInEntry, place: number, page: SignInPage, entries: readonly SignInEntry[]): Html {
  const { csrfToken, callbackUrl } = page
  const isAlone = entries.every(({ id, kind }) => kind !== entry.kind || id === entry.id)
  if (entry.kind === 'passkey') return renderPasskeyForm(entry, { csrfToken, callbackUrl, isAlone })
  return html`<form method="post" action="${toHref(entry.action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${
  entry.kind === 'redirect'
    ? renderButton(entry, place, page.frame)
    : renderForm(entry, { isAlone, isFirst: entry === entries.find(isForm), offersPasskeys: lackInput(entries) })
}
</form>`
}

function isForm(entry: SignInEntry): entry is FormEntry {
  return entry.kind === 'credentials' || entry.kind === 'email'
}

/** Buttons stand together; a form is set off from what is before and after it. */
function isDivided(before: SignInEntry | undefined, entry: SignInEntry): boolean {
  return before !== undefined && !(before.kind === 'redirect' && entry.kind === 'redirect')
}

function renderButton(entry: Extract<SignInEntry, { kind: 'redirect' }>, place: number, frame: PageFrame): Html {
  const { mark } = entry.style
  const logo = readLogo(entry.style.logo, frame.host)
  const badge = renderBadge(entry.name, { ...(logo !== undefined && { logo }), ...(mark !== undefined && { mark }) })
  return html`<button type="submit" class="provider provider-${place}">${badge}<span>Sign in with ${entry.name}</span></button>`
}

interface FormPlace {
  readonly isAlone: boolean
  readonly isFirst: boolean
  readonly offersPasskeys: boolean
}

/** Whether passkeys are to be suggested, and have no input of their own for it: then those of the other forms serve. */
function lackInput(entries: readonly SignInEntry[]): boolean {
  return entries.some(
    (entry) => entry.kind === 'passkey' && entry.conditional && Object.keys(entry.inputs).length === 0,
  )
}

/** Alone of its kind, a button need not say which; the published pages' id can be given once only. */
function renderForm(entry: FormEntry, { isAlone, isFirst, offersPasskeys }: FormPlace): Html {
  const inputs = Object.entries(entry.kind === 'email' ? addressInput : entry.inputs)
  return html`<div class="fields">
${inputs.map(([field, input]) => [renderInput(field, input, entry.id, { offersPasskeys }), '\n'])}<button type="submit" class="button"${isFirst && html` id="submitButton"`}>${
    entry.kind === 'email' ? 'Send me a link' : 'Sign in'
  }${!isAlone && ` with ${entry.name}`}</button>
</div>`
}

/** 254: the longest address that a mail server takes (RFC 5321 §4.5.3.1.3). */
const addressInput: Readonly<Record<string, CredentialInput>> = {
  email: {
    label: 'Email address',
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    placeholder: 'you@example.com',
    maxlength: 254,
    required: true,
  },
}
