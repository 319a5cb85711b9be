/** HTML with values put in escaped, and the frame around every page. */
import type { Session } from 'server-auth'

/** HTML that may stand in a page as it is. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Insertable = Html | readonly Html[] | string | number | null | undefined

/** Puts values into HTML, escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toText(values[index - 1]) + part))
}

function toText(value: Insertable): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((each) => each.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A time, for people. */
export function time(date: Date): Html {
  const text = date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime="${date.toISOString()}">${text} UTC</time>`
}

/** Who looks at a page, and whether the demo has a mailbox to look into. */
export interface Visitor {
  readonly session: Session | null
  readonly hasMailbox: boolean
}

/** The fields of a form that nobody sees. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** What a page is called; where a sign-in comes back to; and what else its head has. */
export interface Head {
  readonly title: string
  readonly url?: string
  readonly script?: Html | null
}

/** A page. */
export function page(visitor: Visitor, { title, url = '/', script }: Head, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · server-auth example</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/app.css">
  ${script}
</head>
<body>
  <header>
    <a class="brand" href="/">server-auth <span>example</span></a>
    <nav>${visitor.session ? signedIn(visitor.session) : signInLink(url)}</nav>
  </header>
  <main>${body}</main>
  ${visitor.hasMailbox ? html`<footer>All mail of this demo arrives in <a href="/dev/mailbox">its mailbox</a>.</footer>` : null}
</body>
</html>`.text
}

function signInLink(url: string): Html {
  return html`<a class="button" href="/auth/signin?callbackUrl=${encodeURIComponent(url)}">Sign in</a>`
}

function signedIn({ user }: Session): Html {
  return html`<a class="person" href="/account">${user?.name || user?.email || 'Your account'}</a>
    <a class="button quiet" href="/auth/signout?callbackUrl=%2F">Sign out</a>`
}
