/** The page on which a user chooses a sign-in method. */

import type { Language } from '../contracts/index.js'
import type { User } from '../types/identity.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { signInErrorText } from './error-texts.js'
import { type Html, html } from './html.js'
import { isPassword } from './input.js'
import { hostName, type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderCaptchaScript, renderName, renderUser, withinLimit } from './parts.js'
import { renderPasskeyScript } from './passkey-form.js'
import { preparePage } from './prepared-page.js'
import { renderRevealScript, showsPasswords } from './reveal-script.js'
import { type EntriesFrame, isFormEntry, needsDivider, renderButtons, renderEntry } from './sign-in-entries.js'
import type { SignInEntry } from './sign-in-methods.js'
import { badgeRules } from './styles.js'
import { translate, translateHtml } from './texts.js'

/** The user who is signed in while this page is shown. */
export interface SignedInHere {
  readonly user: User
  readonly signOutUrl: string
  /** True if another sign-in method is added to the account. */
  readonly links: boolean
}

/** The content of the sign-in page. */
export interface SignInPage extends EntriesFrame {
  readonly entries: readonly SignInEntry[]
  /** The type of the error in the query. */
  readonly error?: string
  readonly signedIn?: SignedInHere | undefined
  /** True if the signed-in user has to reauthenticate. */
  readonly isReauthentication?: boolean
}

/** Renders the sign-in page. */
export function renderSignIn(page: SignInPage): string {
  const entries = page.entries.filter((entry) => entry.kind !== 'credentials' || Object.keys(entry.inputs).length > 0)
  return renderLayout(page.frame, {
    name: 'sign-in',
    title: translate(page.frame.language, 'signIn.title'),
    rules: entries.flatMap((entry, place) => (entry.kind === 'redirect' ? badgeRules(place, entry.style) : [])),
    main: html`${renderHeading(page.frame)}
${page.error !== undefined && renderMessage(page.frame.language, page.error)}${page.signedIn && (page.isReauthentication ? renderReauthentication(page.frame.language, page.signedIn) : renderSignedIn(page.frame.language, page.signedIn, entries))}${page.identifier && renderIdentifier(page.frame.language, page.identifier)}${renderEntries(entries, page)}`,
  })
}

/** The part of a sign-in page that is the same for each visitor, without an error or a session. */
export type SharedSignInPage = Pick<SignInPage, 'entries' | 'identifier' | 'lastUsed' | 'remember'> & {
  readonly frame: Omit<PageFrame, 'nonce'>
}

/** The part that differs for each visitor. */
export type SignInPageValues = Pick<SignInPage, 'csrfToken' | 'callbackUrl'> & Pick<PageFrame, 'nonce'>

/** Prepares the sign-in page for visitors without a session and an error. */
export function prepareSignIn({
  frame,
  entries,
  lastUsed,
  remember,
}: SharedSignInPage): (own: SignInPageValues) => string {
  const fill = preparePage(['csrfToken', 'callbackUrl', 'nonce'], ({ nonce, ...marks }) =>
    renderSignIn({ frame: { ...frame, nonce }, entries, lastUsed, remember, ...marks }),
  )
  return (own) => fill({ ...own, callbackUrl: withinLimit(own.callbackUrl) })
}

/** Renders the email address or user name, and a link to change it. */
function renderIdentifier(language: Language, { value, changeUrl }: NonNullable<SignInPage['identifier']>): Html {
  return html`<p class="chosen">${renderName(value)} <a href="${toHref(changeUrl)}">${translate(language, 'signIn.otherAddress')}</a></p>\n`
}

function renderHeading(frame: PageFrame): Html {
  const { language, theme } = frame
  if (theme.name !== undefined)
    return html`<h1>${translateHtml(language, 'signIn.titleOf', { site: siteName(frame) })}</h1>`
  const site = html`<strong>${hostName(frame)}</strong>`
  return html`<h1>${translate(language, 'signIn.title')}</h1>\n<p class="lead">${translateHtml(language, 'signIn.lead', { site })}</p>`
}

/** Renders the text for the type of an error in the query. */
function renderMessage(language: Language, error: string): Html {
  return error === 'SessionRequired'
    ? html`<div class="note" role="status"><p>${translate(language, 'signIn.required')}</p></div>\n`
    : html`<div class="error" role="alert"><p>${signInErrorText(language, error)}</p></div>\n`
}

function renderReauthentication(language: Language, { user, signOutUrl }: SignedInHere): Html {
  return html`<div class="note" role="note"><p>${translate(language, 'signIn.again')}</p>
${renderUser(user)}<p><a href="${toHref(signOutUrl)}">${translate(language, 'signOut.button')}</a></p></div>\n`
}

function renderSignedIn(
  language: Language,
  { user, signOutUrl, links }: SignedInHere,
  entries: readonly SignInEntry[],
): Html {
  const added = links ? addedMethodsText(language, entries) : undefined
  return html`<div class="note" role="note"><p>${translate(language, 'signIn.already')}</p>
${renderUser(user)}<p>${added ?? translate(language, 'signIn.replaces')} <a href="${toHref(signOutUrl)}">${translate(language, 'signOut.button')}</a></p></div>\n`
}

/** Returns the effect of a sign-in inside a session. Passwords and email links are not added to an account. */
function addedMethodsText(language: Language, entries: readonly SignInEntry[]): string | undefined {
  const provider = entries.find(({ kind }) => kind === 'redirect')?.name
  const makesPasskey = entries.some((entry) => entry.kind === 'passkey' && Object.keys(entry.inputs).length > 0)
  if (!makesPasskey && provider === undefined) return undefined
  const added =
    provider === undefined
      ? translate(language, 'signIn.addsPasskey')
      : translate(language, makesPasskey ? 'signIn.addsBoth' : 'signIn.addsService', { provider })
  const rest = entries.some(({ kind }) => kind !== 'redirect')
  return rest ? `${added} ${translate(language, 'signIn.othersReplace')}` : added
}

function renderEntries(entries: readonly SignInEntry[], page: SignInPage): Html {
  const { frame, captcha } = page
  if (entries.length === 0) return html`<p class="text">${translate(frame.language, 'signIn.nothing')}</p>`
  const rendered = entries.map((entry, place) => [
    needsDivider(entries[place - 1], entry) && html`<p class="or">${translate(frame.language, 'signIn.or')}</p>\n`,
    entry.kind === 'redirect' ? renderProviderButtons(place, entries, page) : [renderEntry(entry, entries, page), '\n'],
  ])
  const reveals =
    showsPasswords(frame.theme) &&
    entries.some((entry) => entry.kind === 'credentials' && hasPasswordInput(entry.inputs))
  const isAsked = entries.some((entry) => isFormEntry(entry) && entry.kind !== 'address')
  return html`<div class="entries">\n${rendered}</div>${entries.some(({ kind }) => kind === 'passkey') && renderPasskeyScript(frame.nonce)}${
    reveals && renderRevealScript(frame.nonce)
  }${captcha && isAsked && renderCaptchaScript(captcha, frame.nonce)}`
}

/** More providers than this are hard to scan: the first ones are shown, and the others on request. */
const maxProviderButtons = 8
const shownProviderButtons = 5

/** Renders all adjacent provider buttons, at the position of the first. */
function renderProviderButtons(place: number, entries: readonly SignInEntry[], page: SignInPage): Html | undefined {
  if (entries[place - 1]?.kind === 'redirect') return undefined
  const end = entries.findIndex(({ kind }, at) => at > place && kind !== 'redirect')
  const group = entries.slice(place, end < 0 ? undefined : end).filter((entry) => entry.kind === 'redirect')
  const isShown = ({ id }: SignInEntry, at: number) => at < shownProviderButtons || id === page.lastUsed
  const shown = group.length > maxProviderButtons ? group.filter(isShown) : group
  const rest = group.filter((entry) => !shown.includes(entry))
  return html`${renderButtons(shown, entries, page)}${
    rest.length > 0 &&
    html`<details class="more"><summary>${translate(page.frame.language, 'signIn.more')}</summary><div class="entries">
${renderButtons(rest, entries, page)}</div></details>\n`
  }`
}

function hasPasswordInput(inputs: Readonly<Record<string, CredentialInput>>): boolean {
  return Object.entries(inputs).some(([field, input]) => isPassword(field, input))
}
