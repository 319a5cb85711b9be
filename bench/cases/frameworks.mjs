/** `auth()` of the shim, beside the same route without it. */
import { buildNext } from '../apps/next.mjs'
import { claimsOf, mints } from '../harness/tokens.mjs'

export const shim = {
  id: 'shim',
  title: '`auth()` in Hono',
  about:
    'The guarded route in Hono on Node.js, with one hot token of 200 B. All variants answer by `context.json()`. The ratio is to Hono alone, which looks at no header of the request. The bare codec with a memory, below an AsyncLocalStorage, is what `auth()` has to do at the least.',
  async run(bench) {
    const cookie = await (await mints.ours())(claimsOf(200))
    const variants = []
    for (const [title, name] of [
      ['Hono', 'hono'],
      ['bare codec with a memory', 'codec'],
      ['server-auth, auth() in withRequest', 'auth() in withRequest'],
      ['server-auth, auth(handler)', 'auth(handler)'],
    ]) {
      variants.push(bench.get(title, await bench.start('hono', name), { cookie }))
    }
    return [{ id: 'shim', title: 'Hono', base: 'Hono alone', rows: await bench.compare(variants) }]
  },
}

export const nextRoute = {
  id: 'next',
  title: '`auth()` in a route handler of Next.js',
  about:
    'With one hot token of 200 B, in production. The ratio is to a route handler that only reads its cookies. The bare codec with a memory opens the token among them.',
  async run(bench) {
    buildNext()
    const cookie = await (await mints.ours())(claimsOf(200))
    const server = await bench.start('next', 'next')
    const variants = [
      bench.get('Next.js, cookies()', server, { path: '/bare', cookie }),
      bench.get('bare codec with a memory', server, { path: '/codec', cookie }),
      bench.get('server-auth, auth()', server, { path: '/guarded', cookie }),
    ]
    return [
      { id: 'next', title: 'Next.js', base: 'Next.js alone', rows: await bench.compare(variants, { scale: 0.3 }) },
    ]
  },
}
