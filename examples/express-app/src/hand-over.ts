/**
 * "Sign in on another device": a link that works once. Our own code starts the session, for a proof of our own: the
 * link was shown on the page of a signed-in user.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Router } from 'express'
import type { DefinedAuth, ServerAuthConfig } from 'server-auth'
import { readForm, requireOwnForm } from './own-form.js'

/** Minutes. */
const lifetime = 2
/** The limit of open links, of all users. */
const mostLinks = 1000

interface HandOver {
  readonly userId: string
  readonly name: string
  readonly until: number
}

/** To be mounted at `/hand-over`. */
export function handOverRoutes(auth: DefinedAuth<ServerAuthConfig>): Router {
  const router = Router()
  const links = createLinks()
  const outOfDate = { title: 'Please try again', text: 'This link was used, or it is too old. Make a new one.' }

  router.post('/', readForm, requireOwnForm(auth), async (request, response) => {
    const account = await auth.account.get(request)
    if (!account) return response.redirect(303, '/account')
    const { id, name, email } = account.user
    const code = links.add({ userId: id, name: name || email || 'you' })
    const link = `${request.protocol}://${request.get('host')}/hand-over/${code}`
    response.render('hand-over-link', { title: 'On another device', link, minutes: lifetime })
  })

  // Opening the link does not sign in: previews open links, too, and an attacker may have sent the user a link of their
  // own account.
  router.get('/:code', (request, response) => {
    const { code } = request.params
    const found = links.find(code)
    if (!found) return response.status(410).render('message', outOfDate)
    response.set('Referrer-Policy', 'same-origin')
    const shown = { title: 'Sign in here', name: found.name, code, csrfToken: auth.getCsrfToken(request) }
    response.render('hand-over', shown)
  })

  router.post('/use', readForm, async (request, response) => {
    // `startSession` asks nothing of the request: that the form is our own is for us to see.
    const found = auth.hasCsrfToken(request) ? links.use(String(request.body.code)) : undefined
    if (!found) return response.status(410).render('message', outOfDate)
    // The visitor has seen the page of a signed-in user: "something you have", for one time.
    const { url } = await auth.startSession(request, response, {
      user: { id: found.userId },
      amr: ['otp'],
      redirectTo: '/account',
    })
    response.redirect(303, url)
  })
  return router
}

/** Links in this process. With several, keep them where all of them look. */
function createLinks() {
  const open = new Map<string, HandOver>()
  const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')
  const find = (code: string) => {
    const found = open.get(hashOf(code))
    return found && found.until > Date.now() ? found : undefined
  }
  return {
    find,
    add(person: Omit<HandOver, 'until'>): string {
      const [oldest] = open.keys()
      if (oldest !== undefined && open.size >= mostLinks) open.delete(oldest)
      const code = randomBytes(32).toString('base64url')
      open.set(hashOf(code), { ...person, until: Date.now() + lifetime * 60_000 })
      return code
    },
    /** The first who comes gets it. */
    use(code: string): HandOver | undefined {
      const found = find(code)
      open.delete(hashOf(code))
      return found
    },
  }
}
