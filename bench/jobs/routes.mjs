/** Routes that read a session from an encrypted cookie. */
import { answerOf } from '../harness/http.mjs'
import { distinct, repeat } from '../harness/lanes.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'
import { claimsOf, mintOf, mintOfAuthJs } from '../harness/tokens.mjs'
import { libraryLanes, signedIn, withCookie, withDistinct } from './peers.mjs'

const cookieFloor = 'async handler that parses the cookie header'

/** Returns the lane of a codec, which reads the tokens of server-auth. */
const codecLane = (bench, variant, work) => [variant, bench.lane('codec', variant, {}, work)]

/** A job of the guarded route for a user whose token is known. `variant`: how `ours` guards it. */
const hotJob = ({ id, variant, peers }) => ({
  id,
  title: `Guarded route, one hot token: \`${variant}\``,
  floor: cookieFloor,
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', variant, { root }, signedIn('/guarded')))
    const cookie = await bench.briefly(own[0], signedInCookie)
    const floor = bench.lane('floors', 'cookies', {}, withCookie(cookie))
    return { floor, own, peers: peers && (() => peers(bench, cookie)) }
  },
})

export const guarded = hotJob({
  id: 'guarded',
  variant: 'getSession',
  peers: async (bench, cookie) => [
    codecLane(bench, 'codec with a memory', withCookie(cookie)),
    ...(await libraryLanes(bench, (provider) => signedIn('/guarded', provider))),
  ],
})

export const guard = hotJob({ id: 'guard', variant: 'requireSession' })

/** A job whose cookies are minted: `workOf(mint)` returns the work of a function that mints. */
const mintedJob = ({ id, title, settings, workOf, peers }) => ({
  id,
  title,
  settings,
  floor: cookieFloor,
  async prepare(bench, roots) {
    const mints = await Promise.all(roots.map(mintOf))
    const own = roots.map((root, at) => bench.lane('ours', 'getSession', { root }, workOf(mints[at])))
    return {
      floor: bench.lane('floors', 'cookies', {}, workOf(mints[0])),
      own,
      peers: peers && (() => peers(bench, mints[0])),
    }
  },
})

const small = claimsOf(200)
const large = claimsOf(8000)

export const distinctTokens = mintedJob({
  id: 'distinct',
  title: 'Guarded route, every token sent once',
  workOf: (mint) => withDistinct(() => mint(small)),
  async peers(bench, mint) {
    const mintAuthJs = await mintOfAuthJs()
    const authJs = withDistinct(() => mintAuthJs(small))
    return [
      codecLane(
        bench,
        'codec',
        withDistinct(() => mint(small)),
      ),
      ['@auth/express', bench.lane('auth-js', 'encrypted cookie', {}, authJs)],
    ]
  },
})

export const largeToken = mintedJob({
  id: 'large',
  title: 'Guarded route, one hot token of 8 kB',
  workOf: (mint) => async (server) => withCookie(await mint(large))(server),
  async peers(bench) {
    const mintAuthJs = await mintOfAuthJs()
    return [['@auth/express', bench.lane('auth-js', 'encrypted cookie', {}, withCookie(await mintAuthJs(large)))]]
  },
})

/** More users than the memory of tokens had room for in version 0.1.0. */
const users = 10_000

export const crowd = mintedJob({
  id: 'crowd',
  title: 'Guarded route, 10,000 active users',
  settings: { warmUp: 2.5 * users },
  workOf(mint) {
    const cookies = []
    let next = 0
    return async (server) => {
      while (cookies.length < users) cookies.push(await mint(small))
      return distinct(server, () => ({ cookie: cookies[next++ % users] }))
    }
  },
})

export const otherCookies = mintedJob({
  id: 'cookies',
  title: 'Guarded route, after 40 other cookies',
  workOf: (mint) => async (server) => {
    const others = Array.from({ length: 40 }, (_, at) => `analytics_${at}=${'v'.repeat(37)}`)
    return withCookie([...others, await mint(small)].join('; '))(server)
  },
})

/** The guarded route in an application with 100 providers. The floor is the application with one. */
export const providers = {
  id: 'providers',
  title: 'Guarded route, 100 providers',
  floor: 'the same application with one provider',
  prepare(bench, roots) {
    const lane = (root, count) => bench.lane('ours', 'getSession', { root, providers: count }, signedIn('/guarded'))
    return { floor: lane(roots[0], 1), own: roots.map((root) => lane(root, 100)) }
  },
}

const visit = { path: '/guarded', status: 401 }
const visits = (server) => repeat(server, [visit])

/** The guarded route for a visitor without cookies, which answers 401 itself. */
export const anonymous = {
  id: 'anonymous',
  title: 'Guarded route without a session: `getSession`',
  floor: 'async handler',
  prepare(bench, roots) {
    return {
      floor: bench.lane('floors', 'anonymous', {}, visits),
      own: roots.map((root) => bench.lane('ours', 'getSession', { root }, visits)),
      peers: () => libraryLanes(bench, () => visits),
    }
  },
}

/** The guarded route for a visitor without cookies, which `requireSession` rejects. */
export const rejected = {
  id: 'rejected',
  title: 'Guarded route without a session: `requireSession`',
  floor: 'async handler that sends the same answer',
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', 'requireSession', { root }, visits))
    const answer = await bench.briefly(own[0], (server) => answerOf(server, visit))
    return { floor: bench.lane('floors', 'rejected', { answer }, visits), own }
  },
}

/** The route that returns the session to the browser. */
export const session = {
  id: 'session',
  title: 'GET session',
  floor: 'Express with a constant answer',
  async prepare(bench, roots) {
    const path = '/auth/session'
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, signedIn(path)))
    const cookie = await bench.briefly(own[0], signedInCookie)
    return {
      floor: bench.lane('floors', 'session', {}, withCookie(cookie, path)),
      own,
      peers: () => [
        codecLane(bench, 'codec with a memory', withCookie(cookie, path)),
        ['Better Auth, cookie cache', bench.lane('better-auth', 'cookie cache', {}, signedIn('/api/auth/get-session'))],
        ['@auth/express', bench.lane('auth-js', 'encrypted cookie', {}, signedIn(path))],
      ],
    }
  },
}

/** The same over a handler that sends the same headers: the cost of the read itself. */
export const sessionHeaders = {
  id: 'session-headers',
  title: 'GET session, without the cost of its headers',
  floor: 'async handler that sends the same answer',
  async prepare(bench, roots) {
    const path = '/auth/session'
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, signedIn(path)))
    const [cookie, answer] = await bench.briefly(own[0], async (server) => {
      const cookie = await signedInCookie(server)
      return [cookie, await answerOf(server, { path, cookie })]
    })
    return { floor: bench.lane('floors', 'session-headers', { answer }, withCookie(cookie, path)), own }
  },
}
