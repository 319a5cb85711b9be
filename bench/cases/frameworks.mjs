/** `auth()` of the shim, beside the same route without it. */
import { buildNext } from '../apps/next.mjs'
import { claimsOf, mints } from '../harness/tokens.mjs'

export const shim = {
  id: 'shim',
  title: '`auth()` in Hono',
  about:
    'The guarded route in Hono on Node.js, with one hot token of 200 B. All variants answer by `context.json()`. The base is Hono alone, which reads no header of the request. The cached bare codec in an AsyncLocalStorage is the minimal work of `auth()`.',
  async run(bench) {
    const cookie = await (await mints.ours())(claimsOf(200))
    const variants = []
    for (const [title, name] of [
      ['Hono', 'hono'],
      ['cached bare codec', 'codec'],
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
    'With one hot token of 200 B, in production. The base is a route handler that only reads its cookies. The cached bare codec also decrypts the token.',
  async run(bench) {
    buildNext()
    const cookie = await (await mints.ours())(claimsOf(200))
    const server = await bench.start('next', 'next')
    const variants = [
      bench.get('Next.js, cookies()', server, { path: '/bare', cookie }),
      bench.get('cached bare codec', server, { path: '/codec', cookie }),
      bench.get('server-auth, auth()', server, { path: '/guarded', cookie }),
    ]
    return [
      { id: 'next', title: 'Next.js', base: 'Next.js alone', rows: await bench.compare(variants, { scale: 0.3 }) },
    ]
  },
}
