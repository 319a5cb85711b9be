/** Sign-in with passkeys (WebAuthn Level 3). */
import type { AuthContext, Flow, FlowResult, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { authenticate } from './authenticate.js'
import { readCeremonyResponse } from './ceremony-response.js'
import { register } from './register.js'

export { type CeremonyOptions, passkeyOptions, secondFactorOptions } from './options.js'

/** The flow of passkey providers. */
export const webauthnFlow: Flow<'webauthn'> = {
  start: redirectToPasskeyForm,
  complete: completePasskey,
  callbackMethods: () => ['POST'],
  hasOwnForm: true,
}

/** Redirects to the sign-in page, which has the script for passkeys. */
async function redirectToPasskeyForm(
  { urls }: AuthContext,
  _provider: ResolvedWebAuthnProvider,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  return { kind: 'redirect', to: urls.page('signIn', { callbackUrl }) }
}

async function completePasskey(context: AuthContext, provider: ResolvedWebAuthnProvider): Promise<FlowResult> {
  const answer = readCeremonyResponse(context, provider)
  const identity = await (answer.ceremony === 'register'
    ? register(context, provider, answer)
    : authenticate(context, provider, answer))
  return { kind: 'identity', identity }
}
