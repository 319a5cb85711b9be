/** server-auth in a Hono application. Run it with `npm start` and open http://localhost:3000 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { memoryAdapter } from 'server-auth/adapters/memory'
import Credentials from 'server-auth/providers/credentials'
import initAuth, { CredentialsSignin, withRequest } from 'server-auth/shim'

/** The users who may sign in. Keep your users in a database, with hashes for passwords. */
const people = new Map([
  ['ada', 'lovelace'],
  ['alan', 'turing'],
])

const { handlers, auth, signIn, signOut } = initAuth({
  // Users and sessions, for as long as this process lives. In your application: `server-auth/adapters/sql`, or a
  // published adapter.
  adapter: memoryAdapter(),
  providers: [
    Credentials({
      credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
      authorize: ({ username, password }) => {
        const name = String(username)
        if (people.get(name) !== password) return null
        return { id: name, name, email: `${name}@example.com` }
      },
    }),
  ],
  pages: { signIn: '/login' },
})

const app = new Hono()

// The routes of server-auth: for identity providers, for email links, for the browser client.
app.on(['GET', 'POST'], '/api/auth/*', (context) => handlers.GET(context.req.raw))

// These routes need a signed-in user. For other requests, `auth.require` throws a Response, which `withRequest` sends.
app.use('/private/*', async (context, next) => {
  await auth.require(context.req.raw)
  await next()
})

app.get('/', async (context) => {
  const session = await auth()
  if (!session?.user) return context.html(page(html`<p><a href="/login">Sign in</a></p>`))
  return context.html(
    page(html`<p>You are ${session.user.name}. <a href="/private/notes">Your notes</a></p>
      <form method="post" action="/logout">${raw(await auth.csrf.field())}<button>Sign out</button></form>`),
  )
})

app.get('/private/notes', (context) => context.html(page(html`<p>Nobody sees this who is not signed in.</p>`)))

app.get('/login', async (context) =>
  context.html(
    page(html`<form method="post">
      ${raw(await auth.csrf.field())}
      ${context.req.query('error') ? html`<p role="alert">That user name and password do not go together.</p>` : ''}
      <input type="hidden" name="redirectTo" value="${context.req.query('callbackUrl') ?? '/'}">
      <label>User name <input name="username" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
    </form>`),
  ),
)

app.post('/login', async (context) => {
  const form = await auth.csrf.verify(context.req.raw)
  try {
    return await signIn('credentials', form)
  } catch (error) {
    // Any other error is thrown again: a redirect to the requested page is thrown as well.
    if (!(error instanceof CredentialsSignin)) throw error
    return context.redirect('/login?error=1', 303)
  }
})

app.post('/logout', async (context) => {
  await auth.csrf.verify(context.req.raw)
  return signOut({ redirectTo: '/' })
})

function page(main: ReturnType<typeof html>) {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Hono and server-auth</title><main>${main}</main></html>`
}

const port = Number(process.env.PORT ?? 3000)
serve(
  {
    // `withRequest` tells auth(), signIn() and signOut() which request they are for. The address is for limits and logs.
    fetch: (request, env) =>
      withRequest(request, () => app.fetch(request, env), { ip: env.incoming.socket.remoteAddress }),
    port,
  },
  ({ port }) => console.log(`http://localhost:${port}`),
)
