/** Hono on Node.js, alone and with `auth()` of `server-auth/shim`. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
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
      const handler = auth((request) =>
        request.auth?.user
          ? Response.json({ hello: request.auth.user.name })
          : Response.json({ error: 'Unauthorized' }, { status: 401 }),
      )
      app.get('/guarded', (context) => handler(context.req.raw))
      return getRequestListener(app.fetch)
    },
  },
}
