/** "API keys": a user creates keys for scripts, sees each key once, and revokes keys. */
import { type Response, Router } from 'express'
import type { DefinedAuth, ServerAuthConfig } from 'server-auth'
import { keyScopes } from './auth.js'
import { readForm, requireOwnForm } from './own-form.js'

/** To be mounted at `/account/keys`. */
export function keyRoutes(auth: DefinedAuth<ServerAuthConfig>): Router {
  const router = Router()

  router.get('/', auth.requireSession(), async (request, response) => {
    const keys = await auth.apiKeys.list(request)
    response.render('keys', { keys, key: '', notice: '', csrfToken: auth.getCsrfToken(request) })
  })

  router.post('/', readForm, requireOwnForm(auth), async (request, response) => {
    const created = await auth.apiKeys.create(request, { name: String(request.body.name), scopes: keyScopes })
    // Signed out, or signed in more than five minutes ago.
    if (!created.ok && created.reason !== 'limit') return confirmSignIn(response)
    const notice = created.ok ? 'Copy the key now. It is not shown again.' : 'Revoke a key first.'
    const keys = await auth.apiKeys.list(request)
    const csrfToken = auth.getCsrfToken(request)
    response.render('keys', { keys, key: created.ok ? created.key : '', notice, csrfToken })
  })

  router.post('/revoke', readForm, requireOwnForm(auth), async (request, response) => {
    await auth.apiKeys.revoke(request, String(request.body.id))
    response.redirect(303, '/account/keys')
  })
  return router
}

function confirmSignIn(response: Response): void {
  response.redirect(303, `/auth/signin?${new URLSearchParams({ reauth: '300', callbackUrl: '/account/keys' })}`)
}
