/**
 * The mails: with a link that signs in or changes an address, and a notice without one. Tables and inline styles, because mail
 * programs drop the rest; what only some of them take (dark mode) stands in a style element. No image, no script, nothing that
 * is loaded.
 */
import type { Language } from '../contracts/index.js'
import type { VerificationMail } from '../types/provider.js'
import type { Theme } from '../types/theme.js'
import { contrastingText, readColor, schemesOf } from './colors.js'
import { type Html, html, raw } from './html.js'
import { durationOf, htmlOf, type LinkPurpose, type MailWords, mailWords, textOf } from './words.js'

/** What a mail with a link says. */
export interface Mail extends Notice {
  /** What the link does. Default: it signs in. */
  readonly purpose?: LinkPurpose
  /** The link: absolute, http(s). */
  readonly url: string
  /** A second link: where a forgotten password is replaced. */
  readonly resetUrl?: string | undefined
  /** Seconds that the link lives. */
  readonly lifetime: number
  /** The address that the link signs in; shown if given. */
  readonly address?: string
}

/** What all mails have. */
export interface Notice {
  /** Host of the site, for example `app.example`. */
  readonly host: string
  readonly theme: Theme
  readonly language: Language
}

/**
 * The mail, ready to be sent: a subject of one line, and the same words as HTML and as text.
 *
 * @throws {TypeError} when `url` does not lead to http(s).
 */
export function renderMail(mail: Mail): VerificationMail {
  const link = new URL(mail.url)
  if (link.protocol !== 'https:' && link.protocol !== 'http:') throw new TypeError('A sign-in link must be http(s)')
  const words = wordsOf(mail)
  const second = mail.resetUrl === undefined ? undefined : new URL(mail.resetUrl)
  return {
    subject: words.title,
    html: renderLinkHtml(mail, { link, second }, words),
    text: renderText(link, second, words),
  }
}

/** The mail with a code. The code stands in the subject, too: phones show it, and offer to fill it in. */
export function renderCodeMail({
  host,
  theme,
  language,
  code,
  lifetime,
}: Notice & {
  readonly code: string
  /** Seconds that the code lives. */
  readonly lifetime: number
}): VerificationMail {
  const site = siteOf(host, theme)
  const heading = textOf(language, 'mail.code', { site })
  const enter = textOf(language, 'mail.codeEnter')
  const validity = textOf(language, 'mail.codeValidity', { lifetime: durationOf(language, lifetime) })
  const advice = textOf(language, 'mail.codeIgnore')
  const { colors, paragraph, small } = stylesOf(theme)
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

/** What a notice is about. */
export type NoticeAbout = 'address' | 'factors' | 'password'

const noticeKeys = {
  address: ['mail.changed', 'mail.changedFacts', 'mail.changedAdvice'],
  password: ['mail.passwordChanged', 'mail.passwordChangedFacts', 'mail.passwordChangedAdvice'],
  factors: ['mail.factors', 'mail.factorsFacts', 'mail.factorsAdvice'],
} as const

/**
 * A mail that something of an account was changed. Of a changed address it goes to the old one, and does not name the new one: the mailbox
 * may be another's by now.
 */
export function renderNotice({ host, theme, language }: Notice, about: NoticeAbout = 'address'): VerificationMail {
  const site = siteOf(host, theme)
  const [subjectKey, factsKey, adviceKey] = noticeKeys[about]
  const subject = textOf(language, subjectKey, { site })
  const facts = textOf(language, factsKey, { site })
  const advice = textOf(language, adviceKey)
  const { paragraph, small } = stylesOf(theme)
  const content = html`<p class="text" style="${paragraph}">${facts}</p>
<p class="muted" style="${small}">${advice}</p>`
  return {
    subject,
    html: renderFrame({ theme, language, title: subject, heading: subject, preview: facts, content }),
    text: `${subject}\n\n${facts}\n\n${advice}\n`,
  }
}

function wordsOf({ purpose = 'sign-in', host, address: whose, lifetime, theme, language }: Mail): MailWords {
  const address = whose !== undefined && isPlainAddress(whose) ? whose : undefined
  return mailWords(language, { purpose, site: siteOf(host, theme), address, lifetime })
}

function siteOf(host: string, { name }: Theme): string {
  return name ?? (isHost(host) ? host : 'this site')
}

function renderText(link: URL, second: URL | undefined, words: MailWords): string {
  const { open, title, validity, browserAdvice, secondAdvice, ignoreAdvice } = words
  const advice = [validity, browserAdvice].filter(Boolean).join(' ')
  const parts = [title, open, link.href, advice, ...(second ? [secondAdvice, second.href] : []), ignoreAdvice]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Anything else in a header or a text could be words of somebody else's, or an address of theirs to press on. */
function isHost(host: string): boolean {
  return host.length <= 261 && /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host)
}

/** Mail programs make links of what looks like one: of an address with `/` or `:` in it they could. */
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

/** Only text of ours and checked colours get into the style element. */
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

interface Links {
  readonly link: URL
  readonly second: URL | undefined
}

function renderLinkHtml({ theme, language }: Mail, { link, second }: Links, words: MailWords): string {
  const { titleKey, site, press, title, validity, browserAdvice, secondAdvice, ignoreAdvice } = words
  const { colors, paragraph, small } = stylesOf(theme)
  const heading = htmlOf(language, titleKey, { site: renderSite(site, link, colors) })
  const renderUrl = ({ href }: URL) =>
    html`<a class="link" href="${href}" dir="ltr" style="color:${colors.link};word-break:break-all">${href}</a>`
  const content = html`<p class="text" style="${paragraph}">${press}${validity && ` ${validity}`}</p>
${renderButton(link, theme, words.button)}
${browserAdvice && html`<p class="muted" style="${small}">${browserAdvice}</p>\n`}${
  second && html`<p class="muted" style="${small}">${secondAdvice}<br>\n${renderUrl(second)}</p>\n`
}<p class="muted" style="${small}">${textOf(language, 'mail.copy')}<br>
${renderUrl(link)}</p>
<p class="muted line" style="${small};margin-top:20px;padding-top:20px;border-top:1px solid ${colors.line}">${ignoreAdvice}</p>`
  return renderFrame({
    theme,
    language,
    title,
    heading,
    preview: validity || textOf(language, 'mail.haveAccountIgnore'),
    content,
  })
}

function stylesOf(theme: Theme): { colors: Palette; paragraph: string; small: string } {
  const colors = theme.colorScheme === 'dark' ? dark : light
  return {
    colors,
    paragraph: `margin:0 0 16px;font-size:16px;line-height:24px;color:${colors.text};${fontOf(theme)}`,
    small: `margin:0 0 12px;font-size:14px;line-height:21px;color:${colors.muted};${fontOf(theme)}`,
  }
}

interface Frame {
  readonly theme: Theme
  readonly language: Language
  readonly title: string
  readonly heading: Html | string
  /** What mail programs show beside the subject. */
  readonly preview: string
  readonly content: Html
}

function renderFrame({ theme, language, title, heading, preview, content }: Frame): string {
  const { colors } = stylesOf(theme)
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

/** A link already, to where it says: else mail programs make one of it, in their colours. */
function renderSite(site: string, link: URL, colors: Palette): Html | string {
  if (site !== link.host) return site
  return html`<a href="${link.origin}/" style="color:${colors.text};text-decoration:none">${site}</a>`
}

/** Padding counts on the cell for Outlook, and on the link for everybody else: all of the button is to be pressed. */
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
