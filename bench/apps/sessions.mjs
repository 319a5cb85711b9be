/** Libraries that keep a session and leave the sign-in to the application: express-session with passport, and iron-session. */
import { secret, user } from './people.mjs'

export const variants = {
  /** With the store that it comes with: the sessions are in this process. */
  async passport(app, _context, express) {
    const { default: session } = await import('express-session')
    const { default: passport } = await import('passport')
    const { Strategy } = await import('passport-local')
    // It warns that its store is not for production.
    const store = new session.MemoryStore()
    app.use(session({ secret, store, resave: false, saveUninitialized: false }))
    app.use(passport.session())
    passport.use(new Strategy((username, _password, done) => done(null, username ? user : false)))
    passport.serializeUser(({ id }, done) => done(null, id))
    passport.deserializeUser((_id, done) => done(null, user))
    const authenticate = passport.authenticate('local', { successRedirect: '/' })
    app.post('/auth/login', express.urlencoded({ extended: false }), authenticate)
    return (req) => req.user
  },
  async 'iron-session'(app, _context, express) {
    const { getIronSession } = await import('iron-session')
    const options = { password: secret, cookieName: 'iron', cookieOptions: { secure: false } }
    app.post('/auth/login', express.urlencoded({ extended: false }), async (req, res) => {
      if (!req.body.username) return res.status(401).end()
      const session = await getIronSession(req, res, options)
      session.user = user
      await session.save()
      res.redirect('/')
    })
    return async (req, res) => (await getIronSession(req, res, options)).user
  },
}
