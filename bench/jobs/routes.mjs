/** Routes that read a session from an encrypted cookie. */
import { answerOf, write } from '../harness/http.mjs'
import { repeat } from '../harness/lanes.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'

/** Returns the work of a signed-in user who requests the same path in each unit. */
const signedIn = (path) => async (server) =>
  repeat([write(server.port, { path, cookie: await signedInCookie(server) })])

/** The guarded route for a user whose token is known, by each function that reads the session. */
const hot = (id, variant) => ({
  id,
  title: `Guarded route, one hot token, ${variant}`,
  floor: 'async handler that parses the cookie header',
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', variant, { root }, signedIn('/guarded')))
    const cookie = await bench.briefly(own[0], signedInCookie)
    const work = (server) => repeat([write(server.port, { path: '/guarded', cookie })])
    return { floor: bench.lane('floors', 'cookies', {}, work), own }
  },
})

export const guarded = hot('guarded', 'getSession')
export const guard = hot('guard', 'requireSession')

const visit = (server) => write(server.port, { path: '/guarded' })
const visits = (server) => repeat([visit(server)], 401)

/** The guarded route for a visitor without cookies, which answers 401 itself. */
export const anonymous = {
  id: 'anonymous',
  title: 'Guarded route without a session, getSession',
  floor: 'async handler',
  prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, visits))
    return { floor: bench.lane('floors', 'anonymous', {}, visits), own }
  },
}

/** The guarded route for a visitor without cookies, which `requireSession` rejects. */
export const rejected = {
  id: 'rejected',
  title: 'Guarded route without a session, requireSession',
  floor: 'async handler that sends the same answer',
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', 'requireSession', { root }, visits))
    const answer = await bench.briefly(own[0], (server) => answerOf(server, visit(server)))
    return { floor: bench.lane('floors', 'rejected', { answer }, visits), own }
  },
}

/** The route that returns the session to the browser. */
export const session = {
  id: 'session',
  title: 'GET session',
  floor: 'Express',
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, signedIn('/auth/session')))
    const cookie = await bench.briefly(own[0], signedInCookie)
    const work = (server) => repeat([write(server.port, { path: '/auth/session', cookie })])
    return { floor: bench.lane('floors', 'session', {}, work), own }
  },
}
