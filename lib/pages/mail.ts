/**
 * The emails: with a link that signs in or changes an address, and notices without a link. Tables and inline styles,
 * because mail programs drop other styles; only dark mode, which some of them support, is in a style element. Emails
 * have no image, no script, and load nothing.
 */
import type { Language } from '../contracts/index.js'
import type { VerificationMail } from '../types/provider.js'
import type { Theme } from '../types/theme.js'
import { contrastingText, readColor, schemesOf } from './colors.js'
import { type Html, html, raw } from './html.js'
import { formatDuration, type LinkPurpose, type MailTexts, mailTexts, translate, translateHtml } from './texts.js'

/** The content of an email with a link. */
export interface Mail extends Notice {
  /** The purpose of the link. Default: a sign-in. */
  readonly purpose?: LinkPurpose
  /** The link: absolute, http(s). */
  readonly url: string
  /** A second link, to reset a forgotten password. */
  readonly resetUrl?: string | undefined
  /** The name of the organization of an invitation. */
  readonly organization?: string | undefined
  /** The lifetime of the link, in seconds. */
  readonly lifetime: number
  /** The email address that the link signs in; shown if present. */
  readonly address?: string
}

/** The common content of all emails. */
export interface Notice {
  /** The host of the site, for example `app.example`. */
  readonly host: string
  readonly theme: Theme
  readonly language: Language
}

/**
 * Returns the email, ready to be sent: a subject in one line, and the same text as HTML and as plain text.
 *
 * @throws {TypeError} if `url` is not http(s).
 */
export function renderMail(mail: Mail): VerificationMail {
  const link = new URL(mail.url)
  if (link.protocol !== 'https:' && link.protocol !== 'http:') throw new TypeError('A sign-in link must be http(s)')
  const words = textsOfMail(mail)
  const second = mail.resetUrl === undefined ? undefined : new URL(mail.resetUrl)
  return {
    subject: words.title,
    html: renderLinkHtml(mail, { link, second }, words),
    text: renderText(link, second, words),
  }
}

/** Returns the email with a code. The code is also in the subject: phones show it, and offer to fill it in. */
export function renderCodeMail({
  host,
  theme,
  language,
  code,
  lifetime,
}: Notice & {
  readonly code: string
  /** The lifetime of the code, in seconds. */
  readonly lifetime: number
}): VerificationMail {
  const site = siteNameOf(host, theme)
  const heading = translate(language, 'mail.code', { site })
  const enter = translate(language, 'mail.codeEnter')
  const validity = translate(language, 'mail.codeValidity', { lifetime: formatDuration(language, lifetime) })
  const advice = translate(language, 'mail.codeIgnore')
  const { colors, paragraph, small } = inlineStyles(theme)
  const content = html`<p class="text" style="${paragraph}">${enter}</p>
<p class="text" dir="ltr" style="margin:0 0 16px;font:700 32px/40px ui-monospace,Consolas,monospace;letter-spacing:4px;color:${colors.text}">${code}</p>
<p class="muted" style="${small}">${validity}</p>
<p class="muted" style="${small}">${advice}</p>`
  return {
    subject: `${code} – ${heading}`,
    html: renderFrame({ theme, language, title: heading, heading, preview: enter, content }),
    text: `${heading}\n\n${enter}\n\n${code}\n\n${validity}\n\n${advice}\n`,
  }
}

/** The subject of a notice. */
export type NoticeAbout = 'address' | 'factors' | 'password'

const noticeKeys = {
  address: ['mail.changed', 'mail.changedFacts', 'mail.changedAdvice'],
  password: ['mail.passwordChanged', 'mail.passwordChangedFacts', 'mail.passwordChangedAdvice'],
  factors: ['mail.factors', 'mail.factorsFacts', 'mail.factorsAdvice'],
} as const

/**
 * Returns a notice that an account was changed. For a changed address it is sent to the old one, and does not contain
 * the new one, because another user may own the mailbox by now.
 */
export function renderNotice({ host, theme, language }: Notice, about: NoticeAbout = 'address'): VerificationMail {
  const site = siteNameOf(host, theme)
  const [subjectKey, factsKey, adviceKey] = noticeKeys[about]
  const subject = translate(language, subjectKey, { site })
  const facts = translate(language, factsKey, { site })
  const advice = translate(language, adviceKey)
  const { paragraph, small } = inlineStyles(theme)
  const content = html`<p class="text" style="${paragraph}">${facts}</p>
<p class="muted" style="${small}">${advice}</p>`
  return {
    subject,
    html: renderFrame({ theme, language, title: subject, heading: subject, preview: facts, content }),
    text: `${subject}\n\n${facts}\n\n${advice}\n`,
  }
}

function textsOfMail({
  purpose = 'sign-in',
  host,
  address: whose,
  lifetime,
  theme,
  language,
  organization,
}: Mail): MailTexts {
  const address = whose !== undefined && isPlainAddress(whose) ? whose : undefined
  return mailTexts(language, { purpose, site: siteNameOf(host, theme), address, lifetime, organization })
}

function siteNameOf(host: string, { name }: Theme): string {
  return name ?? (isHost(host) ? host : 'this site')
}

function renderText(link: URL, second: URL | undefined, words: MailTexts): string {
  const { open, title, validity, browserAdvice, secondAdvice, ignoreAdvice } = words
  const advice = [validity, browserAdvice].filter(Boolean).join(' ')
  const parts = [title, open, link.href, advice, ...(second ? [secondAdvice, second.href] : []), ignoreAdvice]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Checks for a host. Any other text in a header or body could be an attacker's text or link. */
function isHost(host: string): boolean {
  return host.length <= 261 && /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host)
}

/** Checks whether mail programs show the address as text. With `/` or `:` they could turn it into a link. */
function isPlainAddress(address: string): boolean {
  return address.length <= 254 && /^[\p{L}\p{N}.!#$%&'*+=?^_{|}~-]+@[\p{L}\p{N}.-]+$/u.test(address)
}

type Palette = Readonly<Record<'page' | 'card' | 'text' | 'muted' | 'line' | 'link', string>>

/** The colours of the pages. */
const light: Palette = {
  page: '#f3f4f6',
  card: '#ffffff',
  text: '#15181e',
  muted: '#565d6b',
  line: '#dde0e6',
  link: '#1c4fc4',
}
const dark: Palette = {
  page: '#0f1115',
  card: '#181b21',
  text: '#eceef2',
  muted: '#a4abb8',
  line: '#2d323b',
  link: '#93b4ff',
}

const systemFonts = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif'

function fontOf({ font }: Theme): string {
  return `font-family:${font === undefined ? systemFonts : `${font},${systemFonts}`}`
}

/** Returns the style sheet, which contains only our own text and checked colours. */
function styleSheet(theme: Theme): Html {
  const schemes = schemesOf(theme)
  const { page, card, text, muted, line, link } = dark
  const darkRules = `@media (prefers-color-scheme:dark){
.page{background:${page}!important}.card{background:${card}!important;border-color:${line}!important}
.text,.text a{color:${text}!important}.muted{color:${muted}!important}.line{border-color:${line}!important}
.link{color:${link}!important}}`
  return raw(`:root{color-scheme:${schemes};supported-color-schemes:${schemes}}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
@media (max-width:480px){.page{padding:0!important}.card{border-width:0!important;border-radius:0!important;padding:32px 20px!important}}
${schemes === 'light dark' ? darkRules : ''}`)
}

interface MailLinks {
  readonly link: URL
  readonly second: URL | undefined
}

function renderLinkHtml({ theme, language }: Mail, { link, second }: MailLinks, words: MailTexts): string {
  const { titleKey, site, openHtml, title, validity, browserAdvice, secondAdvice, ignoreAdvice } = words
  const { colors, paragraph, small } = inlineStyles(theme)
  const heading = translateHtml(language, titleKey, { site: renderSite(site, link, colors) })
  const renderUrl = ({ href }: URL) =>
    html`<a class="link" href="${href}" dir="ltr" style="color:${colors.link};word-break:break-all">${href}</a>`
  const content = html`<p class="text" style="${paragraph}">${openHtml}${validity && ` ${validity}`}</p>
${renderButton(link, theme, words.button)}
${browserAdvice && html`<p class="muted" style="${small}">${browserAdvice}</p>\n`}${
  second && html`<p class="muted" style="${small}">${secondAdvice}<br>\n${renderUrl(second)}</p>\n`
}<p class="muted" style="${small}">${translate(language, 'mail.copy')}<br>
${renderUrl(link)}</p>
<p class="muted line" style="${small};margin-top:20px;padding-top:20px;border-top:1px solid ${colors.line}">${ignoreAdvice}</p>`
  return renderFrame({
    theme,
    language,
    title,
    heading,
    preview: validity || translate(language, 'mail.haveAccountIgnore'),
    content,
  })
}

function inlineStyles(theme: Theme): { colors: Palette; paragraph: string; small: string } {
  const colors = theme.colorScheme === 'dark' ? dark : light
  return {
    colors,
    paragraph: `margin:0 0 16px;font-size:16px;line-height:24px;color:${colors.text};${fontOf(theme)}`,
    small: `margin:0 0 12px;font-size:14px;line-height:21px;color:${colors.muted};${fontOf(theme)}`,
  }
}

interface MailFrame {
  readonly theme: Theme
  readonly language: Language
  readonly title: string
  readonly heading: Html | string
  /** The text that mail programs show beside the subject. */
  readonly preview: string
  readonly content: Html
}

function renderFrame({ theme, language, title, heading, preview, content }: MailFrame): string {
  const { colors } = inlineStyles(theme)
  const isReversed = language.messages.direction === 'rtl'
  return html`<!doctype html>
<html lang="${language.locale}" dir="${language.messages.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="${schemesOf(theme)}">
<meta name="supported-color-schemes" content="${schemesOf(theme)}">
<title>${title}</title>
<style>${styleSheet(theme)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${colors.page};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="page" align="center" bgcolor="${colors.page}" style="padding:32px 16px;background:${colors.page}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px"><tr>
<td class="card" align="${isReversed ? 'right' : 'left'}" bgcolor="${colors.card}" style="padding:40px 36px 28px;background:${colors.card};border:1px solid ${colors.line};border-radius:${theme.radius ?? 16}px;overflow-wrap:anywhere;word-break:break-word">
<h1 class="text" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:600;color:${colors.text};${fontOf(theme)}">${heading}</h1>
${content}
</td>
</tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td>
</tr></table>
</body>
</html>
`.toString()
}

/** Renders the site as a link to its origin. Otherwise mail programs would create a link with their own colours. */
function renderSite(site: string, link: URL, colors: Palette): Html | string {
  if (site !== link.host) return site
  return html`<a href="${link.origin}/" style="color:${colors.text};text-decoration:none">${site}</a>`
}

/**
 * Renders the button. The padding is on the cell for Outlook, and on the link for other programs, so that the whole
 * button can be clicked.
 */
function renderButton(link: URL, theme: Theme, text: string): Html {
  const background = readColor(theme.brandColor) ?? readColor('#2253cf')
  const color = readColor(theme.buttonText) ?? (background && contrastingText(background))
  const edge = `border:1px solid rgba(128,128,128,.4);border-radius:${theme.radius ?? 10}px`
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 28px"><tr>
<td align="center" bgcolor="${background}" style="background:${background};${edge};mso-padding-alt:14px 32px">
<a href="${link.href}" style="display:inline-block;padding:14px 32px;font-size:16px;line-height:20px;font-weight:600;color:${color};text-decoration:none;${fontOf(theme)}">${text}</a>
</td>
</tr></table>`
}
