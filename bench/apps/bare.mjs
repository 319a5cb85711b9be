/** Express alone: what everything is measured against. */
import { cookieName, user } from './people.mjs'

export const variants = {
  /** Treats every request as signed in, or none. */
  express(app, { anonymous = false }, express) {
    const session = { user, expires: '2100-01-01T00:00:00.000Z' }
    app.get('/auth/session', (_req, res) => res.json(session))
    app.post('/auth/login', express.urlencoded({ extended: false }), (req, res) => {
      if (!req.body.username) return res.status(401).end()
      res.cookie(cookieName, 'signed-in', { httpOnly: true, sameSite: 'lax' }).redirect('/')
    })
    return () => (anonymous ? null : user)
  },
}
