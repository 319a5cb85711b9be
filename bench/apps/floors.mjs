/** Floors: Express with the least work that a job cannot do without. */
import { parseCookie } from 'cookie'
import { cookieName, user } from './people.mjs'

/** Sends the status, headers and body of a recorded answer. */
function send(res, { status, headers, body }) {
  res.status(status).set(headers).end(body)
}

export const variants = {
  /** Answers the guarded route from the parsed cookie header, with `cookie`, which is also the parser of `cookie-parser`. */
  cookies: () => (req) => {
    const cookies = parseCookie(req.headers.cookie ?? '')
    return (cookies[cookieName] ?? cookies[`${cookieName}.0`]) && user
  },
  /** Rejects every request, in the words of the route. */
  anonymous: () => () => undefined,
  /** Rejects every request by the answer of a real guard. */
  rejected(_app, { answer }) {
    return { guards: [async (_req, res) => send(res, answer)], userOf: () => undefined }
  },
  /** Answers the route of the session as a real one did, with its headers. */
  'session-headers'(app, { answer }) {
    app.get('/auth/session', async (_req, res) => send(res, answer))
    return () => user
  },
  /** Answers the route of the session with a constant. */
  session(app) {
    const session = { user, expires: '2100-01-01T00:00:00.000Z' }
    app.get('/auth/session', (_req, res) => res.json(session))
    return () => user
  },
  /** Reads the form of a sign-in, and answers as a real one did: with the same status, cookies and other headers. */
  'sign-in'(app, { answer }, express) {
    app.post('/auth/callback/credentials', express.urlencoded({ extended: false }), async (req, res) => {
      if (req.body.username) send(res, answer)
      else res.status(401).end()
    })
    return () => user
  },
}
