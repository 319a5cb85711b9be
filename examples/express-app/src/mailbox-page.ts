/** The pages of the demo's mailbox. A real application has nothing of the kind. */
import { Router } from 'express'
import { type Html, html, page, time, type Visitor } from './html.js'
import type { Mail, Mailbox } from './mailbox.js'

/** What the browser may do with a mail: show it. A link in it that somebody clicks leads the whole window there. */
const sandbox = 'allow-top-navigation-by-user-activation'

const mailPolicy = [
  `sandbox ${sandbox}`,
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
].join('; ')

/** To be mounted at `/dev`. */
export function mailboxRoutes(mailbox: Mailbox): Router {
  const router = Router()
  const find = (id: unknown) => mailbox.mails().find((mail) => String(mail.id) === id)

  router.get('/mailbox', (request, response) => {
    const mails = mailbox.mails()
    response.send(mailboxPage(response.locals, mails, find(request.query.mail) ?? mails[0]))
  })
  router.get('/mailbox/:id/html', (request, response, next) => {
    const mail = find(request.params.id)
    if (mail?.html === undefined) return next()
    response.set('Content-Security-Policy', mailPolicy).send(withLinksOnTop(mail.html))
  })
  router.get('/mail-sent', (_request, response) => {
    response.send(mailSentPage(response.locals))
  })
  return router
}

function withLinksOnTop(mail: string): string {
  const base = '<base target="_top">'
  return /<head[^>]*>/i.test(mail) ? mail.replace(/<head[^>]*>/i, (head) => head + base) : base + mail
}

function mailSentPage(visitor: Visitor): string {
  return page(
    visitor,
    { title: 'Check your email' },
    html`<h1>Check your email</h1>
    <p>We sent you a link to sign in. In this demo all mail ends up in one place, whatever the address.</p>
    <p><a class="button" href="/dev/mailbox">Open the mailbox</a></p>`,
  )
}

function mailboxPage(visitor: Visitor, mails: readonly Mail[], shown: Mail | undefined): string {
  return page(
    visitor,
    { title: 'Mailbox' },
    html`<div class="row spread"><h1>Mailbox</h1><a class="button quiet" href="/dev/mailbox">Look again</a></div>
    <p class="hint">What this demo mails comes here, and nowhere else. The last 50 mails are kept until it stops.</p>
    ${shown ? html`${list(mails, shown)}${letter(shown)}` : html`<p>No mail yet. Ask for a link on the <a href="/auth/signin">sign-in page</a>.</p>`}`,
  )
}

function list(mails: readonly Mail[], shown: Mail): Html {
  const items = mails.map(
    (mail) => html`<li><a href="/dev/mailbox?mail=${mail.id}"${mail === shown ? html` aria-current="true"` : null}>
        <strong>${mail.to}</strong><span>${mail.subject}</span><span>${time(mail.receivedAt)}</span></a></li>`,
  )
  return html`<ol class="mails" aria-label="Mails, newest first">${items}</ol>`
}

function letter({ id, from, to, subject, html: body, text }: Mail): Html {
  return html`<article class="letter">
    <h2>${subject}</h2>
    <p class="hint">From ${from}, to ${to}</p>
    ${body === undefined ? null : html`<iframe src="/dev/mailbox/${id}/html" sandbox="${sandbox}" title="The mail"></iframe>`}
    <details${body === undefined ? html` open` : null}><summary>As plain text</summary><pre>${text}</pre></details>
  </article>`
}
