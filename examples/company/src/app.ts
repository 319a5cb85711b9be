/** The application: a start page with the organizations of the user, and the pages of each organization. */
import express, { Router } from 'express'
import helmet from 'helmet'
import { auth } from './auth.js'
import { connectionRoutes } from './connection.js'
import { field } from './field.js'
import { memberRoutes } from './members.js'
import { noticeOf } from './notices.js'

const folder = `${import.meta.dirname}/..`
/** @param more More pages, such as those of the demo. */
export function createApp(more: Router = Router()) {
  const app = express().set('view engine', 'ejs').set('views', `${folder}/views`)
  // nginx is the only proxy, and overwrites the headers of clients.
  app.set('trust proxy', 'loopback')
  // Safari would look for https://localhost.
  const contentSecurityPolicy = { directives: { 'upgrade-insecure-requests': null } }
  app.use(helmet({ contentSecurityPolicy, referrerPolicy: { policy: 'same-origin' } }))
  app.use(express.static(`${folder}/public`))
  app.use('/auth', auth.router)
  app.use(auth.csrf.require(), (req, res, next) => {
    res.set('Cache-Control', 'private, no-store')
    Object.assign(res.locals, { csrf: auth.csrf.field(req), notice: noticeOf(req.query.notice) })
    next()
  })
  app.use(more)

  app.get('/', async (req, res) => {
    const session = await auth.getSession(req)
    res.render('home', { session, organizations: await auth.organizations.list(req) })
  })
  app.post('/organizations', auth.requireSession(), async (req, res) => {
    const created = await auth.organizations.create(req, { name: field(req.body, 'name') })
    res.redirect(303, created.ok ? `/o/${created.organization.id}` : `/?notice=${created.reason}`)
  })
  app.get('/o/:org', auth.requireSession({ organization: (req) => req.params.org }), async (req, res) => {
    const { id, role } = res.locals.organization
    const mayConnect = role === 'owner'
    res.render('organization', { organization: await auth.organizations.get(req, id), mayConnect })
  })
  app.use('/o/:org/members', memberRoutes())
  app.use('/o/:org/single-sign-on', connectionRoutes())
  return app
}
