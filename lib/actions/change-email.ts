/** Changes of the email address that the application's own form requests. They have no route. */

import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider } from '../contracts/index.js'
import { AccessDenied, EmailSignInError, InvalidProvider, TooManyRequests } from '../errors.js'
import { startEmailChange } from '../flows/index.js'
import type { AdapterUser } from '../types/adapter.js'
import { emitFailure } from './failure.js'
import { assertMayAttach } from './sign-in-steps.js'

/** The outcome of a request for another address. */
export type ChangeEmailOutcome = 'sent' | 'unchanged' | 'refused' | 'limited'

/** Returns the first email provider; `undefined` without one. */
export function findEmailProvider({ providers }: ResolvedConfig): ResolvedEmailProvider | undefined {
  for (const provider of providers.values()) if (provider.kind === 'email') return provider
  return undefined
}

/** Returns the provider that sends the email. @throws {@link InvalidProvider} without one. */
export function emailProviderOf(config: ResolvedConfig): ResolvedEmailProvider {
  const provider = findEmailProvider(config)
  if (provider) return provider
  throw new InvalidProvider('`account.changeEmail` sends an email link. Add an email provider to `providers`.')
}

/** Sends the link. A rejected request is logged and emitted, as for a link that signs in. */
export async function changeEmail(context: AuthContext, user: AdapterUser): Promise<ChangeEmailOutcome> {
  const provider = emailProviderOf(context.config)
  await assertMayAttach(context, user.id)
  const callbackUrl = await readCallbackUrl(context)
  try {
    return await startEmailChange(context, provider, { user, callbackUrl })
  } catch (error) {
    const isLimit = error instanceof TooManyRequests
    if (!isLimit && !(error instanceof EmailSignInError) && !(error instanceof AccessDenied)) throw error
    context.config.logger.error(error)
    await emitFailure(context, error)
    return isLimit ? 'limited' : 'refused'
  }
}
