import { expect } from 'chai'
import { Hono } from 'hono'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FailureMessage } from '../../lib/types/config.js'
import initAuth, { type AuthHost, requestHost, withRequest } from '../../shim/index.js'
import { createLog } from '../support/app.js'
import { openFetch } from '../support/doors.js'
import { rejectionOf } from '../support/rejection.js'
import { configure, cookieOf, get, origin } from './stage.js'

describe('withRequest(request, respond)', () => {
  it('gives back the response', async () => {
    const own = new Response('hello')
    expect(await withRequest(get('/'), () => own)).to.equal(own)
  })

  it('rejects with what is thrown, a Response of the application included', async () => {
    expect((await rejectionOf(withRequest(get('/'), () => Promise.reject(new Error('away'))))).message).to.equal('away')
    const thrown = new Response('mine')
    let caught: unknown
    await withRequest(get('/'), () => {
      throw thrown
    }).catch((error: unknown) => {
      caught = error
    })
    expect(caught).to.equal(thrown)
  })

  it('adds the cookies to whatever response comes, a redirect and an empty one included', async () => {
    const { signIn } = initAuth(configure())
    for (const own of [Response.redirect(`${origin}/there`), new Response(null, { status: 204 }), Response.json({})]) {
      const response = await withRequest(new Request(`${origin}/login`, { method: 'POST' }), async () => {
        await signIn('credentials', { username: 'ann', password: 'right', redirect: false })
        return own
      })
      expect(response.status).to.equal(own.status)
      expect(response.headers.get('location')).to.equal(own.headers.get('location'))
      expect(response.headers.getSetCookie()).to.have.length(4)
      expect(response.headers.get('cache-control')).to.equal('private, no-store')
    }
  })

  it('makes a public response private if a user signs in by it', async () => {
    const { signIn } = initAuth(configure())
    const response = await withRequest(new Request(`${origin}/login`, { method: 'POST' }), async () => {
      await signIn('credentials', { username: 'ann', password: 'right', redirect: false })
      return new Response('', { headers: { 'cache-control': 'public, max-age=60' } })
    })
    expect(response.headers.get('cache-control')).to.equal('private, no-store')
  })

  it('stops the code behind a guard if a copy of the host returns the redirect instead of throwing it', async () => {
    const redirect = (() => new Response()) as unknown as AuthHost['redirect']
    const { auth } = initAuth(configure(), { ...requestHost, redirect })
    const respond = async () => Response.json(await auth.require())
    expect((await rejectionOf(withRequest(get('/'), respond))).message).to.include('`redirect` of the host')
  })

  it('streams the body on', async () => {
    const { auth } = initAuth(configure({ session: { updateAge: 0 } }))
    const parts = ['one ', 'two']
    const response = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth()
      const body = new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(Buffer.from(part))
        },
      })
      return new Response(body)
    })
    expect(response.headers.getSetCookie()).to.have.length(1)
    expect(await response.text()).to.equal('one two')
  })

  it('lets a streamed part read the session, and set nothing', async () => {
    const { auth } = initAuth(configure({ session: { updateAge: 0 } }))
    const response = await withRequest(get('/', { cookie: await cookieOf('ann') }), () => {
      const body = new ReadableStream({
        async pull(controller) {
          controller.enqueue(Buffer.from(String((await auth())?.user?.name)))
          controller.close()
        },
      })
      return new Response(body)
    })
    expect(await response.text()).to.equal('ann')
    expect(response.headers.getSetCookie()).to.deep.equal([])
  })

  it('tells the routes and events who the client is, where the server knows', async () => {
    const told: FailureMessage[] = []
    const { handlers, signIn } = initAuth(configure({ events: { failure: (message) => void told.push(message) } }))
    const options = { ip: '192.0.2.7' }
    const request = new Request(`${origin}/api/auth/callback/credentials`, { method: 'POST' })
    await withRequest(request, () => handlers.POST(request), options)
    const own = async () => {
      await signIn('credentials', {}).catch(() => {})
      return new Response()
    }
    await withRequest(new Request(`${origin}/login`, { method: 'POST' }), own, options)
    await withRequest(new Request(`${origin}/login`, { method: 'POST' }), own)
    expect(told.map(({ type, request: { ip } }) => [type, ip])).to.deep.equal([
      ['MissingCSRF', '192.0.2.7'],
      ['CredentialsSignin', '192.0.2.7'],
      ['CredentialsSignin', undefined],
    ])
  })

  it('tells the server about mails that the routes send', async () => {
    const mail = { id: 'email', name: 'E-mail', type: 'email' as const, sendVerificationRequest: () => {} }
    const { handlers } = initAuth(configure({ adapter: memoryAdapter(), providers: [mail] }))
    const work: unknown[] = []
    const door = await openFetch(createLog(), (request) => handlers.GET(request), {
      waitUntil: (promise) => void work.push(promise),
    })
    const visitor = door.browser()
    const form = { csrfToken: true, email: 'ann@example.com' } as const
    expect((await visitor.ask('/api/auth/signin/email', { form })).status).to.equal(303)
    expect(work).to.have.length(1)
    await door.close()
  })

  it('does not lose a mail where the server fails to take note of it', async () => {
    let sent = 0
    const sendVerificationRequest = () => {
      sent += 1
    }
    const mail = { id: 'email', name: 'E-mail', type: 'email' as const, sendVerificationRequest }
    const { signIn } = initAuth(configure({ adapter: memoryAdapter(), providers: [mail] }))
    const broken = () => {
      throw new Error('no request here')
    }
    const request = new Request(`${origin}/login`, { method: 'POST' })
    const response = await withRequest(request, () => signIn('email', { email: 'ann@example.com' }), {
      waitUntil: broken,
    })
    expect(response.status).to.equal(303)
    while (sent === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(sent).to.equal(1)
  })

  it('serves a whole application over HTTP', async () => {
    const { auth, handlers, signIn, signOut } = initAuth(configure())
    const app = new Hono()
      .on(['GET', 'POST'], '/api/auth/*', (context) => handlers.GET(context.req.raw))
      .get('/me', async (context) => context.json((await auth())?.user?.name ?? null))
      .post('/login', async (context) => signIn('credentials', await context.req.raw.formData()))
      .post('/logout', async () => signOut({ redirectTo: '/bye' }))
    const door = await openFetch(createLog(), (request) => app.fetch(request))
    const visitor = door.browser()
    const login = await visitor.ask('/login', { form: { username: 'ann', password: 'right', redirectTo: '/me' } })
    expect([login.status, login.headers.location]).to.deep.equal([303, `${door.origin}/me`])
    expect((await visitor.ask('/me')).text).to.equal('"ann"')
    expect((await visitor.ask('/api/auth/session')).text).to.include('ann@example.com')
    const logout = await visitor.ask('/logout', { method: 'POST' })
    expect(logout.headers.location).to.equal(`${door.origin}/bye`)
    expect((await visitor.ask('/me')).text).to.equal('null')
    await door.close()
  })
})
