/** "Your account": the sign-in methods and the sessions of a user, and the forms that change them. */
import { type Request, type Response, Router } from 'express'
import type { Adapter, DefinedAuth, ServerAuthConfig } from 'server-auth'
import { openIdProvider, type Ways } from './auth.js'
import { moduleScript } from './browser-modules.js'
import { type Notice, noticeOf } from './notices.js'
import { readForm, requireOwnForm } from './own-form.js'

export interface AccountOptions {
  readonly auth: DefinedAuth<ServerAuthConfig>
  /** The adapter of the configuration: names are changed where users are stored. */
  readonly adapter: Pick<Required<Adapter>, 'updateUser'>
  readonly ways: Ways
}

/** The longest name that a user may choose. */
const maxNameLength = 80

/** The organisations of users. In your application, read those of the user from your database. */
const organisations = ['Blue Whale', 'Red Panda'] as const

/** To be mounted at `/account`. */
export function accountRoutes({ auth, adapter, ways }: AccountOptions): Router {
  const router = Router()

  router.get('/', auth.requireSession(), async (request, response) => {
    const account = await auth.account.get(request)
    // Ended since the guard looked.
    if (!account) return response.redirect('/account')
    response.render('account', {
      ...account,
      ...{ ways, openIdProvider, maxNameLength, organisations },
      script: ways.withPasskeys ? moduleScript('/passkeys.js') : '',
      username: ways.passwords?.usernameOf(account.user.email),
      csrfToken: auth.getCsrfToken(request),
      url: request.originalUrl,
      notice: noticeOf(request.query.done),
    })
  })

  // A redirect answers, so that a reload does not send the form again.
  function form(path: string, act: (request: Request, response: Response) => Promise<Notice>): void {
    router.post(path, readForm, requireOwnForm(auth), async (request, response) => {
      response.redirect(303, `/account?done=${await act(request, response)}`)
    })
  }

  form('/name', async (request, response) => {
    const id = response.locals.session?.user?.id
    const name = readName(request.body.name)
    if (id === undefined || name === undefined) return 'name-refused'
    await adapter.updateUser({ id, name })
    // The session may hold the name: it is to hold the new one.
    await auth.update(request, response, {})
    return 'name-changed'
  })
  form('/organisation', async (request, response) => {
    const organisation = organisations.find((name) => name === request.body.organisation)
    if (!organisation) return 'organisation-unknown'
    await auth.sessions.setData(request, response, { organisation })
    return 'organisation-chosen'
  })
  if (ways.mail) {
    form('/email', async (request) => {
      const email = String(request.body.email)
      const changed = await auth.account.changeEmail(request, { email, callbackUrl: '/account?done=email-changed' })
      return changed.ok ? 'email-sent' : `email-${changed.reason}`
    })
  }
  form('/sessions/end', async (request) => {
    const ended = await auth.sessions.end(request, String(request.body.id))
    return ended.ok ? 'session-ended' : 'session-unknown'
  })
  form('/sessions/end-others', async (request) => {
    await auth.sessions.endOthers(request)
    return 'others-ended'
  })
  form('/accounts/unlink', async (request) => {
    const [provider, providerAccountId] = [String(request.body.provider), String(request.body.providerAccountId)]
    const unlinked = await auth.account.unlink(request, { provider, providerAccountId })
    return unlinked.ok ? 'account-unlinked' : `account-${unlinked.reason}`
  })
  form('/passkeys/rename', async (request) => {
    const { id, name } = request.body
    const renamed = await auth.account.renamePasskey(request, String(id), String(name))
    return renamed.ok ? 'passkey-renamed' : 'passkey-refused'
  })
  form('/passkeys/remove', async (request) => {
    const removed = await auth.account.removePasskey(request, String(request.body.id))
    return removed.ok ? 'passkey-deleted' : `passkey-${removed.reason}`
  })
  return router
}

/** It comes from the browser, where it may have been anything. */
function readName(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : ''
  return name === '' || name.length > maxNameLength ? undefined : name
}
