/**
 * The endpoints `GET|POST signup/:provider` and `GET|POST password/:step`. A GET changes nothing, because scanners open
 * email links.
 */

import { note } from '../../actions/failure.js'
import { canonicalUrl } from '../../actions/request.js'
import { completeSignIn } from '../../actions/sign-in-pipeline.js'
import { refusals } from '../../actions/sign-in-steps.js'
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, Identity, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { InvalidProvider, InvalidRequest } from '../../errors.js'
import { loadPasswords, passwordTyped } from '../../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { assertCsrf } from '../../session/csrf.js'
import { rememberBrowser } from '../limits/attempts.js'
import { isTypedAgain, pageOf } from './action-pages.js'
import { keepsPasswords, passwordProviderOf } from './store.js'

/** A request about passwords, and their flow, which is loaded now. */
interface Place {
  readonly context: AuthContext
  readonly provider: PasswordProvider
  readonly flow: Awaited<ReturnType<typeof loadPasswords>>
}

interface Step {
  /** Returns the content of the page. `moved`: it is shown at another URL. */
  show(place: Place): Promise<PasswordFacts | 'moved'>
  /** Handles the form. */
  submit(place: Place): Promise<AuthResponse>
}

/** Answers `signup/:provider`. */
export async function signUp(context: AuthContext): Promise<AuthResponse> {
  const provider = context.config.providers.get(context.request.providerId ?? '')
  if (!keepsPasswords(provider)) throw new InvalidProvider('The provider has no sign-up.')
  return take('signUp', context, provider)
}

/** Answers `password/:step`. */
export async function password(context: AuthContext): Promise<AuthResponse> {
  const provider = passwordProviderOf(context.config)
  const step = stepsByName.get(context.request.providerId ?? '')
  if (!provider || !step) throw new InvalidRequest('There is no such page.', 404)
  return take(step, context, provider)
}

/** A map, not an object: a path must not find `constructor`. */
const stepsByName = new Map<string, PasswordFacts['step']>(
  (['forgot', 'reset', 'verify', 'change'] as const).map((name) => [name, name]),
)

async function take(name: PasswordFacts['step'], context: AuthContext, provider: PasswordProvider) {
  const step = steps[name]
  const isPost = context.request.method === 'POST'
  if (isPost) assertCsrf(context)
  const place = { context, provider, flow: await loadPasswords() }
  if (!isPost) return show(step, place)
  try {
    return await step.submit(place)
  } catch (error) {
    if (!isTypedAgain(context, error)) throw error
    await note(context, error)
    const facts = await step.show(place)
    if (facts === 'moved') throw error
    return pageOf(context, provider, { ...facts, refusal: error })
  }
}

async function show(step: Step, place: Place): Promise<AuthResponse> {
  const { context, provider } = place
  const { request, urls } = context
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const facts = await step.show(place)
  // The same page, without the token of the link.
  if (facts === 'moved') return { kind: 'redirect', to: urls.endpoint(request.action, request.providerId) }
  return pageOf(context, provider, facts)
}

const steps: Readonly<Record<PasswordFacts['step'], Step>> = {
  signUp: {
    async show({ context, provider, flow }) {
      flow.assertOpen(provider)
      return { step: 'signUp', callbackUrl: await readCallbackUrl(context) }
    },
    async submit({ context, provider, flow }) {
      const outcome = await flow.signUp(context, provider, await readCallbackUrl(context))
      return outcome === 'sent' ? sent(context, provider, 'sign-up') : { kind: 'redirect', to: outcome }
    },
  },
  forgot: {
    show: async () => ({ step: 'forgot' }),
    async submit({ context, provider, flow }) {
      await flow.forgot(context, provider)
      return sent(context, provider, 'reset-password')
    },
  },
  reset: {
    show: ({ context, provider, flow }) => flow.showReset(context, provider),
    async submit(place) {
      const { context, provider, flow } = place
      return finish(place, await flow.reset(context, provider), await readCallbackUrl(context))
    },
  },
  verify: {
    show: ({ context, provider, flow }) => flow.showVerify(context, provider),
    async submit(place) {
      const { identity, callbackUrl } = await place.flow.verify(place.context, place.provider)
      return finish(place, identity, safeRedirect(new URL(callbackUrl)))
    },
  },
  change: {
    async show({ context, provider, flow }) {
      const { step: change, email } = await flow.showChange(context, provider, refusals(context))
      return { step: 'change', change, email, callbackUrl: await readCallbackUrl(context) }
    },
    async submit({ context, provider, flow }) {
      const changed = await flow.change(context, provider, { typed: context.request.body, refusals: refusals(context) })
      if (changed === 'changed') return { kind: 'redirect', to: await readCallbackUrl(context) }
      return pageOf(context, provider, { step: 'change', change: changed })
    },
  },
}

/** Redirects to the page that says that an email was sent. It is the same for known and unknown addresses. */
function sent({ urls }: AuthContext, { id }: PasswordProvider, type: 'sign-up' | 'reset-password'): AuthResponse {
  return { kind: 'redirect', to: urls.page('verifyRequest', { provider: id, type }) }
}

/**
 * Signs the user in after they set a password with an email link. Guesses by strangers do not slow this browser down
 * any more.
 */
async function finish(
  { context, provider }: Place,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const answer = await completeSignIn(context, identity, callbackUrl)
  if (identity.user.email) rememberBrowser(context, [passwordTyped(provider, identity.user.email)])
  return answer
}
