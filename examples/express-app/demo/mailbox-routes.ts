/** The pages of the demo's mailbox. A real application has nothing of the kind. */
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import type { Mailbox } from './mailbox.js'

/**
 * The permissions of a mail in the browser: it is only shown. A link in it, once clicked, opens in the whole window.
 */
const sandbox = 'allow-top-navigation-by-user-activation'

const mailPolicy = [
  `sandbox ${sandbox}`,
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
].join('; ')

const view = (name: string) => fileURLToPath(new URL(`views/${name}.ejs`, import.meta.url))

/** To be mounted at `/dev`. */
export function mailboxRoutes(mailbox: Mailbox): Router {
  const router = Router()
  const find = (id: unknown) => mailbox.mails().find((mail) => String(mail.id) === id)

  router.get('/mailbox', (request, response) => {
    const mails = mailbox.mails()
    response.render(view('mailbox'), { mails, shown: find(request.query.mail) ?? mails[0], sandbox })
  })
  router.get('/mailbox/:id/html', (request, response, next) => {
    const mail = find(request.params.id)
    if (mail?.html === undefined) return next()
    response.set('Content-Security-Policy', mailPolicy).send(withLinksOnTop(mail.html))
  })
  router.get('/mail-sent', (_request, response) => response.render(view('mail-sent')))
  return router
}

function withLinksOnTop(mail: string): string {
  const base = '<base target="_top">'
  return /<head[^>]*>/i.test(mail) ? mail.replace(/<head[^>]*>/i, (head) => head + base) : base + mail
}
