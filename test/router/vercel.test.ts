/** Vercel's Node.js runtime: `req.body` is a getter that parses, and the stream has been read before. */
import { createServer } from 'node:http'
import { expect } from 'chai'
import express from 'express'
import { hasCsrfToken, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import { complete, createApp, createLog, credentials, type Door, expressMajor, serve, target } from '../support/app.js'
import { opened } from '../support/opened.js'
import { withVercelHelpers } from '../support/vercel.js'

type Variant = [name: string, parsers: express.RequestHandler[]]

const withParsers: Variant = ['with body parsers', [express.json(), express.urlencoded({ extended: false })]]
const variants: readonly Variant[] = [
  ['without a body parser', []],
  // The parsers of Express 4 answer 500 to a stream that has ended.
  ...(expressMajor === 4 ? [] : [withParsers]),
]

describe("Vercel's Node.js runtime", () => {
  for (const [name, parsers] of variants) {
    describe(name, () => {
      const app = opened(() => startOnVercel(parsers))

      it('signs in by a form, guards a page, and signs out', async () => {
        const browser = app.browser()
        expect((await browser.get('/private', { accept: 'text/html' })).status).to.equal(302)
        const end = await browser.signIn({ username: 'zoë + 100%', callbackUrl: '/there' })
        expect([end.status, target(end)]).to.deep.equal([303, `${app.origin}/there`])
        expect(await browser.session()).to.have.nested.property('user.name', 'zoë + 100%')
        expect((await browser.get('/private')).text).to.equal('private')
        expect((await browser.submit('/auth/signout')).status).to.equal(303)
        expect(await browser.session()).to.equal(null)
      })

      it('signs in by JSON', async () => {
        const browser = app.browser()
        const json = { csrfToken: await browser.csrf(), username: 'bob', password: 'right' }
        expect((await browser.send('post', '/auth/callback/credentials', { json })).status).to.equal(303)
        expect(await browser.session()).to.have.nested.property('user.name', 'bob')
      })

      it('has no fields as text/plain, application/octet-stream, or without a type', async () => {
        const browser = app.browser()
        const body = JSON.stringify({ csrfToken: await browser.csrf() })
        for (const type of ['text/plain', 'application/octet-stream', undefined]) {
          const headers = { ...(type !== undefined && { 'content-type': type }) }
          const answer = await browser.ask('/auth/session', { body, headers })
          expect([answer.status, answer.body.error]).to.deep.equal([403, 'MissingCSRF'])
        }
      })

      it('checks the token of an own form', async () => {
        const browser = app.browser()
        expect((await browser.post('/note', { csrfToken: await browser.csrf() })).status).to.equal(204)
        expect((await browser.post('/note', { csrfToken: 'f'.repeat(64) })).status).to.equal(403)
      })
    })
  }

  it('answers JSON that the runtime cannot parse with 400, and an own form with 403', async () => {
    const app = await startOnVercel()
    const question = { body: '{"a":', headers: { 'content-type': 'application/json' } }
    const { status, body } = await app.browser().ask('/auth/session', question)
    expect([status, body.error]).to.deep.equal([400, 'InvalidRequest'])
    expect((await app.browser().ask('/note', question)).status).to.equal(403)
    await app.close()
  })
})

function startOnVercel(parsers: express.RequestHandler[] = []): Promise<Door> {
  const log = createLog()
  const config: ServerAuthConfig = complete({ providers: [credentials()] }, log)
  const app = createApp(config, {
    before: (on) => {
      for (const parser of parsers) on.use(parser)
    },
    after: (on) => {
      on.get('/private', requireSession(config), (_req, res) => void res.send('private'))
      on.post('/note', (req, res) => void res.sendStatus(hasCsrfToken(req, config) ? 204 : 403))
    },
  })
  return serve(createServer(withVercelHelpers((req, res) => app(req, res))), config, log)
}
