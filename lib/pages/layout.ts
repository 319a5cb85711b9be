/**
 * The common layout of all built-in pages: one style element with a nonce, and nothing from a third party. Only passkeys
 * need a script. All others only help, such as the button that shows a password. The pages work under `default-src
 * 'none'; style-src 'nonce-…'; script-src 'nonce-…'; form-action 'self'`.
 */
import type { Language } from '../contracts/index.js'
import type { Theme } from '../types/theme.js'
import { schemesOf } from './colors.js'
import { type Html, html, raw, shorten } from './html.js'
import { readLogo, toSrcset } from './links.js'
import { styleSheet } from './styles.js'

/** The environment in which a page is shown. */
export interface PageFrame {
  /** The nonce in the page's Content-Security-Policy. */
  readonly nonce: string
  readonly theme: Theme
  readonly language: Language
  /** The host of the site, for example `app.example`. */
  readonly host: string
}

/** The content of a page without its frame. */
export interface PageContent {
  /** The name of the page, such as `sign-in`. The class of `body` is `auth-<name>`. */
  readonly name: string
  readonly title: string
  /** The content after the logo: exactly one `h1`, then the rest. */
  readonly main: Html
  /** Additional CSS rules, created by `styles.ts`. */
  readonly rules?: readonly string[]
}

/** Renders the whole document. */
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

/** Returns the host for display, no longer than a host name can be (RFC 1035 §2.3.4). */
export function hostName(frame: PageFrame): string {
  return shorten(frame.host, 255)
}

/** Returns the name of the site, or its host. */
export function siteName(frame: PageFrame): string {
  return frame.theme.name === undefined ? hostName(frame) : shorten(frame.theme.name, 100)
}

/** Renders the name of the site, emphasised. */
export function renderSite(frame: PageFrame): Html {
  return html`<strong>${siteName(frame)}</strong>`
}

/** Renders the logo. The text alternative is empty, because every page contains the site's name as text. */
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
