/** Hono on Node.js, with the least work, with the bare codec, and with `auth()` of `server-auth/shim`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { getRequestListener } from '@hono/node-server'
import { parseCookie } from 'cookie'
import { Hono } from 'hono'
import { openRemembered, tokenOf } from './codec.mjs'
import { cookieName, secret, user } from './people.mjs'

async function shim({ root }) {
  const { default: initAuth, withRequest } = await import(new URL('dist/shim/index.js', root))
  const { auth } = initAuth({ secret, trustHost: true, basePath: '/auth', providers: [] })
  return { auth, withRequest }
}

/** The guarded route. */
function answer(context, found) {
  return found ? context.json({ hello: found.name }) : context.json({ error: 'Unauthorized' }, 401)
}

export const variants = {
  cookies: {
    listener() {
      const app = new Hono()
      const userOf = (cookie = '') => parseCookie(cookie)[cookieName] && user
      app.get('/guarded', async (context) => answer(context, userOf(context.req.header('cookie'))))
      return getRequestListener(app.fetch)
    },
  },
  /**
   * Does the least that `auth()` must do: the token of the request that an AsyncLocalStorage holds, opened or cached.
   */
  codec: {
    listener() {
      const requests = new AsyncLocalStorage()
      const readHere = async () => {
        const token = tokenOf({ headers: { cookie: requests.getStore().headers.get('cookie') ?? undefined } })
        return token && openRemembered(token)
      }
      const app = new Hono()
      app.get('/guarded', async (context) => answer(context, await readHere()))
      return getRequestListener((request) => requests.run(request, () => app.fetch(request)))
    },
  },
  'auth() in withRequest': {
    async listener(options) {
      const { auth, withRequest } = await shim(options)
      const app = new Hono()
      app.get('/guarded', async (context) => answer(context, (await auth())?.user))
      return getRequestListener((request) => withRequest(request, () => app.fetch(request)))
    },
  },
}
