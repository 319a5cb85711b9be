/** One flow for each kind of provider. A kind without a flow does not compile. */
import type { Flow, FlowKind } from '../contracts/index.js'
import { credentialsFlow } from './credentials/index.js'
import { emailFlow } from './email/index.js'
import { oauthFlow } from './oauth/index.js'
import { webauthnFlow } from './webauthn/index.js'

export { beginChange } from './email/index.js'
export { endSessionEndpoint, endSessionUrl, finishEndSession } from './oauth/logout/end-session.js'
export {
  forgetProviderSession,
  keepProviderSession,
  logoutCookie,
  readProviderSession,
} from './oauth/logout/provider-session.js'
export { passkeyOptions } from './webauthn/index.js'

/** The flows by kind. */
export const flows: { readonly [K in FlowKind]: Flow<K> } = {
  credentials: credentialsFlow,
  email: emailFlow,
  oauth: oauthFlow,
  webauthn: webauthnFlow,
}

/** The flow of a provider, bound to it, so that callers need not know its kind. */
export function flowOf<K extends FlowKind>(provider: { readonly kind: K }): Flow<K> {
  return flows[provider.kind]
}
