/**
 * The endpoints `GET|POST signup/:provider` and `GET|POST password/:step`. A GET changes nothing, because scanners open
 * email links.
 */

import { recordFailure } from '../../actions/failure.js'
import { canonicalUrl } from '../../actions/requested-provider.js'
import { completeSignIn } from '../../actions/sign-in-pipeline.js'
import { rejectionReasons } from '../../actions/sign-in-steps.js'
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, Identity, PasswordPageFacts, PasswordProvider } from '../../contracts/index.js'
import { InvalidProvider, InvalidRequest } from '../../errors.js'
import { sentMailParams } from '../../flows/email/mailed-address.js'
import { loadPasswords, passwordBrowserKey } from '../../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { assertCsrf } from '../../session/csrf.js'
import { rememberKnownBrowser } from '../limits/attempts.js'
import { isFormShownAgain, passwordPageResponse } from './action-pages.js'
import { keepsPasswords, passwordProviderOf } from './store.js'

/** A request about passwords, and their flow, which is loaded now. */
interface PasswordRequest {
  readonly context: AuthContext
  readonly provider: PasswordProvider
  readonly flow: Awaited<ReturnType<typeof loadPasswords>>
}

interface Step {
  /** Returns the content of the page. `moved`: it is shown at another URL. */
  readPage(place: PasswordRequest): Promise<PasswordPageFacts | 'moved'>
  /** Handles the form. */
  submit(place: PasswordRequest): Promise<AuthResponse>
}

/** Answers `signup/:provider`. */
export async function signUp(context: AuthContext): Promise<AuthResponse> {
  const provider = context.config.providers.get(context.request.providerId ?? '')
  if (!keepsPasswords(provider)) throw new InvalidProvider('The provider has no sign-up.')
  return handlePasswordStep('signUp', context, provider)
}

/** Answers `password/:step`. */
export async function password(context: AuthContext): Promise<AuthResponse> {
  const provider = passwordProviderOf(context.config)
  const step = stepsByName.get(context.request.providerId ?? '')
  if (!provider || !step) throw new InvalidRequest('There is no such page.', 404)
  return handlePasswordStep(step, context, provider)
}

/** A map, not an object: a path must not find `constructor`. */
const stepsByName = new Map<string, PasswordPageFacts['step']>(
  (['forgot', 'reset', 'verify', 'change'] as const).map((name) => [name, name]),
)

async function handlePasswordStep(name: PasswordPageFacts['step'], context: AuthContext, provider: PasswordProvider) {
  const step = steps[name]
  const isPost = context.request.method === 'POST'
  if (isPost) assertCsrf(context)
  const passwordRequest = { context, provider, flow: await loadPasswords() }
  if (!isPost) return renderPasswordStep(step, passwordRequest)
  try {
    return await step.submit(passwordRequest)
  } catch (error) {
    if (!isFormShownAgain(context, error)) throw error
    await recordFailure(context, error)
    const facts = await step.readPage(passwordRequest)
    if (facts === 'moved') throw error
    return passwordPageResponse(context, provider, { ...facts, rejection: error })
  }
}

async function renderPasswordStep(step: Step, passwordRequest: PasswordRequest): Promise<AuthResponse> {
  const { context, provider } = passwordRequest
  const { request, urls } = context
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const facts = await step.readPage(passwordRequest)
  // The same page, without the token of the link.
  if (facts === 'moved') return { kind: 'redirect', to: urls.endpoint(request.action, request.providerId) }
  return passwordPageResponse(context, provider, facts)
}

const steps: Readonly<Record<PasswordPageFacts['step'], Step>> = {
  signUp: {
    async readPage({ context, provider, flow }) {
      flow.assertSignUpEnabled(provider)
      return { step: 'signUp', callbackUrl: await readCallbackUrl(context) }
    },
    async submit({ context, provider, flow }) {
      const outcome = await flow.requestSignUp(context, provider, await readCallbackUrl(context))
      return outcome === 'sent' ? redirectToSentPage(context, provider, 'sign-up') : { kind: 'redirect', to: outcome }
    },
  },
  forgot: {
    readPage: async () => ({ step: 'forgot' }),
    async submit({ context, provider, flow }) {
      await flow.requestPasswordReset(context, provider)
      return redirectToSentPage(context, provider, 'reset-password')
    },
  },
  reset: {
    readPage: ({ context, provider, flow }) => flow.readResetPage(context, provider),
    async submit(passwordRequest) {
      const { context, provider, flow } = passwordRequest
      return signInAfterLink(
        passwordRequest,
        await flow.resetPassword(context, provider),
        await readCallbackUrl(context),
      )
    },
  },
  verify: {
    readPage: ({ context, provider, flow }) => flow.readVerifyPage(context, provider),
    async submit(passwordRequest) {
      const { identity, callbackUrl } = await passwordRequest.flow.verifySignUp(
        passwordRequest.context,
        passwordRequest.provider,
      )
      return signInAfterLink(passwordRequest, identity, safeRedirect(new URL(callbackUrl)))
    },
  },
  change: {
    async readPage({ context, provider, flow }) {
      const { step: change, email } = await flow.readChangePage(context, provider, rejectionReasons(context))
      return { step: 'change', change, email, callbackUrl: await readCallbackUrl(context) }
    },
    async submit({ context, provider, flow }) {
      const changed = await flow.changePassword(context, provider, {
        typed: context.request.body,
        refusals: rejectionReasons(context),
      })
      if (changed === 'changed') return { kind: 'redirect', to: await readCallbackUrl(context) }
      return passwordPageResponse(context, provider, { step: 'change', change: changed })
    },
  },
}

/** Redirects to the page that says that an email was sent. It is the same for known and unknown addresses. */
function redirectToSentPage(
  context: AuthContext,
  { id }: PasswordProvider,
  type: 'sign-up' | 'reset-password',
): AuthResponse {
  return { kind: 'redirect', to: context.urls.page('verifyRequest', sentMailParams(context, id, type)) }
}

/**
 * Signs the user in after they set a password with an email link. Guesses by strangers do not slow this browser down
 * any more.
 */
async function signInAfterLink(
  { context, provider }: PasswordRequest,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const answer = await completeSignIn(context, identity, callbackUrl)
  if (identity.user.email) rememberKnownBrowser(context, [passwordBrowserKey(provider, identity.user.email)])
  return answer
}
