/** "Your account" in a test's application: what it shows, and its forms. */

import { expect } from 'chai'
import express, { type Request } from 'express'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { type AccountOverview, hasCsrfToken, type ServerAuthConfig } from '../../lib/index.js'
import type { Browser } from '../support/app.js'

/** The routes of such a page. */
export function addRoutes(app: express.Express, config: ServerAuthConfig): void {
  app.use(express.urlencoded({ extended: false }))
  const route = (path: string, act: (req: Request) => Promise<unknown>) => {
    app.post(path, (req, res, next) => {
      if (!hasCsrfToken(req, config)) return void res.sendStatus(403)
      act(req).then((result) => res.json(result), next)
    })
  }
  app.get('/account', (req, res, next) => {
    expressFunctions(config)
      .account.get(req)
      .then((account) => res.json(account), next)
  })
  route('/account/rename', (req) => expressFunctions(config).account.renamePasskey(req, req.body.id, req.body.name))
  route('/account/delete', (req) => expressFunctions(config).account.removePasskey(req, req.body.id))
  route('/account/email', (req) => expressFunctions(config).account.changeEmail(req, req.body))
  route('/account/unlink', (req) => expressFunctions(config).account.unlink(req, req.body))
}

/** Throws for a value that must exist. */
export function missing(): never {
  throw new Error('there is no passkey')
}

/** A type as it is in JSON: times are text. */
type Told<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] extends object ? Told<T[Key]> : T[Key] }

/** Reads the data that the page shows. */
export async function overview(browser: Browser): Promise<Told<AccountOverview>> {
  const { body, status } = await browser.get('/account')
  expect(status, JSON.stringify(body)).to.equal(200)
  return body
}

/** Sends a form of the page. */
export async function post(browser: Browser, path: string, fields: object = {}) {
  return browser.post(`/account/${path}`, { csrfToken: await browser.csrf(), ...fields })
}
