/** A person wants another address: not a route, but what the application's own form asks for. */

import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider } from '../contracts/index.js'
import { AccessDenied, EmailSignInError, InvalidProvider, TooManyRequests } from '../errors.js'
import { beginChange } from '../flows/index.js'
import type { AdapterUser } from '../types/adapter.js'
import { tellFailure } from './failure.js'
import { assertMayAttach } from './sign-in-steps.js'

/** What a wish for another address came to. */
export type ChangeEmailOutcome = 'sent' | 'unchanged' | 'refused' | 'limited'

/** The provider that mails. @throws {@link InvalidProvider} where there is none. */
export function mailerOf({ providers }: ResolvedConfig): ResolvedEmailProvider {
  for (const provider of providers.values()) if (provider.kind === 'email') return provider
  throw new InvalidProvider('`account.changeEmail` mails a link: it needs a provider of e-mail in `providers`.')
}

/** Sends the link. What is refused is logged and told, as where a link is asked for that signs in. */
export async function changeEmail(context: AuthContext, user: AdapterUser): Promise<ChangeEmailOutcome> {
  const provider = mailerOf(context.config)
  await assertMayAttach(context, user.id)
  const callbackUrl = await readCallbackUrl(context)
  try {
    return await beginChange(context, provider, { user, callbackUrl })
  } catch (error) {
    const isLimit = error instanceof TooManyRequests
    if (!isLimit && !(error instanceof EmailSignInError) && !(error instanceof AccessDenied)) throw error
    context.config.logger.error(error)
    await tellFailure(context, error)
    return isLimit ? 'limited' : 'refused'
  }
}
