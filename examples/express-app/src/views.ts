/** The public pages, as functions to HTML. */
import type { Session } from 'server-auth'
import { type Html, html, page, type Visitor } from './html.js'

/** Someone who may sign in, for showing. */
export interface DemoPassword {
  readonly username: string
  readonly password: string
}

/** What the home page tells of signing in. */
export interface Hints {
  readonly demoPasswords: readonly DemoPassword[]
  readonly withPasskeys: boolean
}

export function homePage(visitor: Visitor, hints: Hints): string {
  const { session } = visitor
  return page(visitor, { title: 'Home' }, session ? welcome(session) : invitation(visitor, hints))
}

function welcome(session: Session): Html {
  return html`
    <h1>Hello, ${session.user?.name || session.user?.email || 'you'}</h1>
    <p>You are signed in. This page is public; the next two are not:</p>
    <ul class="cards">
      <li><a href="/account"><strong>Your account</strong><span>How you sign in, and where you are signed in</span></a></li>
      <li><a href="/api/me"><strong>/api/me</strong><span>A JSON API for signed-in people</span></a></li>
    </ul>
    <details><summary>The session, as the application sees it</summary><pre id="session">${JSON.stringify(session, null, 2)}</pre></details>`
}

function invitation({ hasMailbox }: Visitor, hints: Hints): Html {
  return html`
    <h1>server-auth on Express</h1>
    <p>Nobody is signed in. This page is public; the next two are not:</p>
    <ul class="cards">
      <li><a href="/account?tab=name"><strong>Your account</strong><span>Asks you to sign in, and comes back</span></a></li>
      <li><a href="/api/me"><strong>/api/me</strong><span>Answers 401 as JSON</span></a></li>
    </ul>
    ${hints.demoPasswords.length > 0 ? hint(hasMailbox, hints) : null}`
}

function hint(hasMailbox: boolean, { demoPasswords, withPasskeys }: Hints): Html {
  const users = demoPasswords.map(
    ({ username, password }) => html`<li><code>${username}</code> with the password <code>${password}</code></li>`,
  )
  const mail = html`<li>with any e-mail address: the link arrives in <a href="/dev/mailbox">the mailbox of the demo</a></li>`
  const passkey = html`<li>with a passkey: make one for a new account, or add one on "Your account"</li>`
  return html`<p class="hint">Sign in with the demo provider as anybody, or:</p>
    <ul class="hint">${hasMailbox ? mail : null}${withPasskeys ? passkey : null}${users}</ul>`
}

export function notFoundPage(visitor: Visitor, path: string): string {
  const body = html`<h1>Not found</h1><p>There is nothing at <code>${path}</code>.</p>`
  return page(visitor, { title: 'Not found' }, body)
}

/** For a form that was open while the person signed in or out elsewhere, or that another site sent. */
export function oldFormPage(visitor: Visitor): string {
  const body = html`<h1>Please try again</h1>
    <p>This form is out of date, and nothing was changed. <a href="/account">Back to your account</a></p>`
  return page(visitor, { title: 'Please try again' }, body)
}

export function errorPage(): string {
  const body = html`<h1>Something went wrong</h1><p>The server's console tells more. <a href="/">Back to the start</a></p>`
  return page({ session: null, hasMailbox: false }, { title: 'Error' }, body)
}
