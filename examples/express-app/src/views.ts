/** The pages, as functions to HTML. */
import type { Session } from 'server-auth'

/** HTML that may stand in a page as it is. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Insertable = Html | readonly Html[] | string | number | null | undefined

/** Puts values into HTML, escaped. */
function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toText(values[index - 1]) + part))
}

function toText(value: Insertable): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((each) => each.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Someone who may sign in, for showing. */
export interface DemoPassword {
  readonly username: string
  readonly password: string
}

export function homePage(session: Session | null, demoPasswords: readonly DemoPassword[]): string {
  return page({ session, title: 'Home', url: '/' }, session ? welcome(session) : invitation(demoPasswords))
}

function welcome(session: Session): Html {
  return html`
    <h1>Hello, ${session.user?.name ?? 'you'}</h1>
    <p>You are signed in. This page is public; the next two are not:</p>
    <ul class="cards">
      <li><a href="/profile"><strong>Profile</strong><span>A page for signed-in people</span></a></li>
      <li><a href="/api/me"><strong>/api/me</strong><span>A JSON API for signed-in people</span></a></li>
    </ul>
    ${sessionBlock(session)}`
}

function invitation(demoPasswords: readonly DemoPassword[]): Html {
  return html`
    <h1>server-auth on Express</h1>
    <p>Nobody is signed in. This page is public; the next two are not:</p>
    <ul class="cards">
      <li><a href="/profile?tab=name"><strong>Profile</strong><span>Asks you to sign in, and comes back</span></a></li>
      <li><a href="/api/me"><strong>/api/me</strong><span>Answers 401 as JSON</span></a></li>
    </ul>
    ${demoPasswords.length > 0 ? hint(demoPasswords) : null}`
}

function hint(demoPasswords: readonly DemoPassword[]): Html {
  const users = demoPasswords.map(
    ({ username, password }) => html`<li><code>${username}</code> with the password <code>${password}</code></li>`,
  )
  return html`<p class="hint">Sign in with the demo provider as anybody, or with a password:</p><ul class="hint">${users}</ul>`
}

export function profilePage(view: { session: Session | null; url: string; maxNameLength: number }): string {
  const { session, url, maxNameLength } = view
  return page(
    { session, title: 'Profile', url },
    html`
    <h1>Profile</h1>
    <p>Only signed-in people see this page. You came to <code>${url}</code>.</p>
    <dl>
      <dt>Name</dt><dd id="shown-name">${session?.user?.name ?? '–'}</dd>
      <dt>E-mail</dt><dd>${session?.user?.email ?? '–'}</dd>
      <dt>Signed in with</dt><dd>${session?.signedInWith ?? '–'}</dd>
    </dl>
    <form id="profile">
      <label for="name">New name</label>
      <div class="row">
        <input id="name" name="name" required maxlength="${maxNameLength}" autocomplete="name">
        <button type="submit">Save</button>
      </div>
      <p id="status" role="status"></p>
      <noscript><p>Saving the name needs JavaScript.</p></noscript>
    </form>
    ${session && sessionBlock(session)}
    <script type="module" src="/profile.js"></script>`,
  )
}

export function notFoundPage(session: Session | null, path: string): string {
  return page(
    { session, title: 'Not found', url: '/' },
    html`<h1>Not found</h1><p>There is nothing at <code>${path}</code>.</p>`,
  )
}

export function errorPage(): string {
  const body = html`<h1>Something went wrong</h1><p>The server's console tells more. <a href="/">Back to the start</a></p>`
  return page({ session: null, title: 'Error', url: '/' }, body)
}

function sessionBlock(session: Session): Html {
  return html`<details><summary>The session, as the application sees it</summary><pre id="session">${JSON.stringify(session, null, 2)}</pre></details>`
}

function page(view: { session: Session | null; title: string; url: string }, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${view.title} · server-auth example</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/app.css">
</head>
<body>
  <header>
    <a class="brand" href="/">server-auth <span>example</span></a>
    <nav>${view.session ? signOutLink(view.session) : signInLink(view.url)}</nav>
  </header>
  <main>${body}</main>
</body>
</html>`.text
}

function signInLink(url: string): Html {
  return html`<a class="button" href="/auth/signin?callbackUrl=${encodeURIComponent(url)}">Sign in</a>`
}

function signOutLink(session: Session): Html {
  return html`<span class="person">${session.user?.name ?? session.user?.email}</span>
    <a class="button quiet" href="/auth/signout?callbackUrl=%2F">Sign out</a>`
}
