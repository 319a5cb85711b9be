/** The page `/demo`: all that is outside of the application, such as mailboxes, the DNS of companies, and a phone. */
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { field } from '../src/field.js'
import { codeOf } from './authenticator.js'
import type { NameServer } from './dns.js'
import type { Mailbox } from './mailbox.js'

export interface Desk {
  readonly mailbox: Mailbox
  readonly nameServer: NameServer
  /** The key of the authenticator app of Ann. */
  key: string
}

const view = fileURLToPath(new URL('views/desk.ejs', import.meta.url))

export function deskRoutes(desk: Desk): Router {
  const router = Router()
  const { mailbox, nameServer } = desk
  router.get('/demo', (_req, res) => {
    const mails = mailbox.mails.map((mail) => ({ ...mail, parts: mail.text.trim().split(/(https?:\/\/\S+)/) }))
    res.render(view, { mails, texts: nameServer.texts, code: desk.key && codeOf(desk.key, Date.now()) })
  })
  router.post('/demo/dns', (req, res) => {
    const [name, value] = [field(req.body, 'name').trim().toLowerCase(), field(req.body, 'value').trim()]
    if (name && value.length < 256) nameServer.texts.set(name, value)
    res.redirect(303, '/demo')
  })
  return router
}
