/** The application: a start page, devices, an administration that requires two factors, and an API. */
import { readFileSync } from 'node:fs'
import express from 'express'
import helmet from 'helmet'
import type { createAuth } from './auth.js'

const folder = `${import.meta.dirname}/..`
const words = JSON.parse(readFileSync(`${folder}/views/words.json`, 'utf8'))

export function createApp(auth: ReturnType<typeof createAuth>) {
  const app = express().set('view engine', 'ejs').set('views', `${folder}/views`)
  const member = auth.requireSession()
  const admin = auth.requireSession({ allow: ({ user }) => user.role === 'admin', aal: 2 })

  // Safari would look for https://localhost.
  const contentSecurityPolicy = { directives: { 'upgrade-insecure-requests': null } }
  app.use(helmet({ contentSecurityPolicy, referrerPolicy: { policy: 'same-origin' } }))
  app.use(express.static(`${folder}/public`))
  app.use('/auth', auth.router)
  app.use(auth.csrf.require(), (req, res, next) => {
    const language = req.acceptsLanguages('en', 'de', 'ar') || 'en'
    res.set('Cache-Control', 'private, no-store').vary('Accept-Language')
    Object.assign(res.locals, { language, t: words[language], csrf: auth.csrf.field(req) })
    next()
  })
  app.get('/', async (req, res) => res.render('home', { session: await auth.getSession(req) }))
  app.get('/devices', member, async (req, res) => res.render('devices', { account: await auth.account.get(req) }))
  app.post('/devices/end', member, async (req, res) => {
    await auth.sessions.end(req, String(req.body.id))
    res.redirect(303, '/devices')
  })
  app.post('/devices/end-all', member, (req, res) => auth.signOut(req, res, { everywhere: true, redirectTo: '/' }))
  app.get('/admin', admin, async (req, res) => {
    res.render('admin', await auth.users.list({ cursor: String(req.query.cursor ?? '') }))
  })
  app.post('/admin/role', admin, async (req, res) => {
    await auth.users.update({ userId: String(req.body.id), role: req.body.role === 'admin' ? 'admin' : 'member' }, req)
    res.redirect(303, '/admin')
  })
  app.get('/api/me', member, (_req, res) => res.json(res.locals.session.user))
  return app
}
