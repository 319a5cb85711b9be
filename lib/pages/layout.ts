/**
 * What all built-in pages have in common: one style element with a nonce, nothing
 * from a third party, and no script but that of passkeys. They work under `default-src 'none'; style-src 'nonce-…';
 * form-action 'self'`.
 */
import type { Language } from '../contracts/index.js'
import type { Theme } from '../types/theme.js'
import { schemesOf } from './colors.js'
import { type Html, html, raw, shorten } from './html.js'
import { readLogo, toSrcset } from './links.js'
import { styleSheet } from './styles.js'

/** Where and how a page is shown. */
export interface PageFrame {
  /** The nonce that the page's Content-Security-Policy names. */
  readonly nonce: string
  readonly theme: Theme
  readonly language: Language
  /** Host of the site, for example `app.example`. */
  readonly host: string
}

/** A page without its frame. */
export interface PageContent {
  /** The name of the page, such as `sign-in`. The class of `body` is `auth-<name>`. */
  readonly name: string
  readonly title: string
  /** What follows the logo: exactly one `h1`, then the rest. */
  readonly main: Html
  /** CSS rules beside the common ones, made by `styles.ts`. */
  readonly rules?: readonly string[]
}

/** The whole document. */
export function renderLayout(frame: PageFrame, { name, title, main, rules = [] }: PageContent): string {
  const css = [styleSheet(frame.theme), ...rules].join('\n')
  return html`<!doctype html>
<html lang="${frame.language.locale}"${frame.language.messages.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="${schemesOf(frame.theme)}">
<link rel="icon" href="data:,">
<title>${title} · ${siteName(frame)}</title>
<style nonce="${frame.nonce}">${raw(css)}</style>
</head>
<body class="auth-page auth-${name}">
<main class="card">
${renderLogo(frame)}${main}
</main>
</body>
</html>
`.toString()
}

/** The host as a person reads it: no longer than a host name can be (RFC 1035 §2.3.4). */
export function hostName(frame: PageFrame): string {
  return shorten(frame.host, 255)
}

/** The site as a person knows it: by its name, where it has one. */
export function siteName(frame: PageFrame): string {
  return frame.theme.name === undefined ? hostName(frame) : shorten(frame.theme.name, 100)
}

/** The same, set off from the text around. */
export function renderSite(frame: PageFrame): Html {
  return html`<strong>${siteName(frame)}</strong>`
}

/** The text alternative is empty: every page says the site's name in words. */
function renderLogo({ theme, host }: PageFrame): Html | undefined {
  const light = readLogo(theme.logo, host)
  const dark = readLogo(theme.logoDark, host)
  const shown = theme.colorScheme === 'dark' ? (dark ?? light) : (light ?? dark)
  if (shown === undefined) return undefined
  const image = html`<img class="logo" src="${shown}" alt="">`
  const follows = theme.colorScheme !== 'light' && dark !== undefined && dark !== shown
  if (!follows) return html`${image}\n`
  return html`<picture><source srcset="${toSrcset(dark)}" media="(prefers-color-scheme:dark)">${image}</picture>\n`
}
