/** Hono on Node.js, alone, with the bare codec, and with `auth()` of `server-auth/shim`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { openRemembered, tokenOf } from './codec.mjs'
import { secret, user } from './people.mjs'

async function shim() {
  const { default: initAuth, withRequest } = await import('../../dist/shim/index.js')
  const { auth } = initAuth({ secret, trustHost: true, basePath: '/auth', providers: [] })
  return { auth, withRequest }
}

/** The guarded route. */
function answer(context, found) {
  return found ? context.json({ hello: found.name }) : context.json({ error: 'Unauthorized' }, 401)
}

export const variants = {
  hono: {
    listener() {
      const app = new Hono()
      app.get('/guarded', (context) => answer(context, user))
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
    async listener() {
      const { auth, withRequest } = await shim()
      const app = new Hono()
      app.get('/guarded', async (context) => answer(context, (await auth())?.user))
      return getRequestListener((request) => withRequest(request, () => app.fetch(request)))
    },
  },
  'auth(handler)': {
    async listener() {
      const { auth } = await shim()
      const app = new Hono()
      const handler = auth((request, context) => answer(context, request.auth?.user))
      app.get('/guarded', (context) => handler(context.req.raw, context))
      return getRequestListener(app.fetch)
    },
  },
}
