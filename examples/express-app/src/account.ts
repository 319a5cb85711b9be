/** "Your account": how a person signs in and where they are signed in, and the forms that change it. */
import express, { type RequestHandler, Router } from 'express'
import {
  type Adapter,
  changeEmail,
  deletePasskey,
  endOtherSessions,
  endSession,
  getAccount,
  getCsrfToken,
  hasCsrfToken,
  renamePasskey,
  requireSession,
  type ServerAuthConfig,
  unlinkAccount,
} from 'server-auth'
import { accountPage, type Notice } from './account-page.js'
import { openIdProvider, type Ways } from './auth.js'
import { usernameOf } from './users.js'
import { oldFormPage } from './views.js'

/** The longest name a person may choose. */
export const maxNameLength = 80

export interface AccountOptions {
  readonly config: ServerAuthConfig
  /** The adapter of the configuration: names are changed where users are stored. */
  readonly adapter: Pick<Required<Adapter>, 'updateUser'>
  readonly ways: Ways
}

/** To be mounted at `/account`. */
export function accountRoutes({ config, adapter, ways }: AccountOptions): Router {
  const router = Router()

  router.get('/', requireSession(config), async (request, response) => {
    const account = await getAccount(request, config)
    // Ended since the guard looked.
    if (!account) return response.redirect('/account')
    response.send(
      accountPage(response.locals, {
        ...account,
        csrfToken: getCsrfToken(request, config),
        url: request.originalUrl,
        notice: request.query.done,
        username: ways.withPasswords ? usernameOf(account.user.email) : undefined,
        sendsMail: ways.mail !== undefined,
        withPasskeys: ways.withPasskeys === true,
        canLink: account.accounts.every(({ provider }) => provider !== openIdProvider),
        openId: { name: ways.openId.name, linkUrl: `/auth/signin/${openIdProvider}` },
        maxNameLength,
      }),
    )
  })

  /** Answers a form with a redirect, so that a reload does not send it again. */
  function form(path: string, act: (...[request, response]: Parameters<RequestHandler>) => Promise<Notice>): void {
    router.post(path, readForm, requireOwnForm(config), async (request, response, next) => {
      response.redirect(303, `/account?done=${await act(request, response, next)}`)
    })
  }

  form('/name', async (request, response) => {
    const id = response.locals.session?.user?.id
    const name = readName(request.body.name)
    if (id === undefined || name === undefined) return 'name-refused'
    await adapter.updateUser({ id, name })
    return 'name-changed'
  })
  if (ways.mail) {
    form('/email', async (request) => {
      const email = String(request.body.email)
      return `email-${await changeEmail(request, config, { email, callbackUrl: '/account?done=email-changed' })}`
    })
  }
  form('/sessions/end', async (request) => {
    return (await endSession(request, config, String(request.body.id))) ? 'session-ended' : 'session-unknown'
  })
  form('/sessions/end-others', async (request) => {
    await endOtherSessions(request, config)
    return 'others-ended'
  })
  form('/accounts/unlink', async (request) => {
    const provider = String(request.body.provider)
    const providerAccountId = String(request.body.providerAccountId)
    return `account-${await unlinkAccount(request, config, { provider, providerAccountId })}`
  })
  form('/passkeys/rename', async (request) => {
    const { id, name } = request.body
    return (await renamePasskey(request, config, String(id), String(name))) ? 'passkey-renamed' : 'passkey-refused'
  })
  form('/passkeys/remove', async (request) => {
    return `passkey-${await deletePasskey(request, config, String(request.body.id))}`
  })
  return router
}

const readForm = express.urlencoded({ extended: false, limit: '10kb' })

/** Lets a form through that a page of ours made, for the person who is signed in. */
function requireOwnForm(config: ServerAuthConfig): RequestHandler {
  return function requireOwnForm(request, response, next) {
    // Another site could send the form as well; the token it cannot know.
    if (!hasCsrfToken(request, config)) return void response.status(403).send(oldFormPage(response.locals))
    // The session ended meanwhile: the page itself asks to sign in.
    if (!response.locals.session?.user) return response.redirect(303, '/account')
    next()
  }
}

/** It comes from the browser, where it may have been anything. */
function readName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.trim()
  return name === '' || name.length > maxNameLength ? undefined : name
}
