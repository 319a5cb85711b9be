/** `auth()` of the shim, compared with the same route that only reads its cookies. */
import { buildNext } from '../apps/next.mjs'
import { claimsOf, mintOf } from '../harness/tokens.mjs'
import { withCookie } from './peers.mjs'

export const hono = {
  id: 'hono',
  title: '`auth()` in Hono, one hot token',
  floor: 'Hono handler that parses the cookie header',
  async prepare(bench, roots) {
    const works = await Promise.all(roots.map(async (root) => withCookie(await (await mintOf(root))(claimsOf(200)))))
    return {
      floor: bench.lane('hono', 'cookies', {}, works[0]),
      own: roots.map((root, at) => bench.lane('hono', 'auth() in withRequest', { root }, works[at])),
      peers: () => [['codec with a memory', bench.lane('hono', 'codec', {}, works[0])]],
    }
  },
}

/** Always measures the package of this repository, because it is part of the built application. */
export const next = {
  id: 'next',
  title: '`auth()` in a route handler of Next.js, one hot token',
  floor: 'route handler that reads its cookies',
  async prepare(bench, roots) {
    buildNext()
    const cookie = await (await mintOf(roots.at(-1)))(claimsOf(200))
    const lane = (path) => bench.lane('next', 'next', {}, withCookie(cookie, path))
    return {
      floor: lane('/bare'),
      own: roots.map(() => lane('/guarded')),
      peers: () => [['codec with a memory', lane('/codec')]],
    }
  },
}
