/** Loops — https://loops.so/docs/api-reference/send-transactional-email · links lead to `<origin>/auth/callback/loops` */
import { sendByHttp } from '../mail/http-mail.js'
import type { EmailConfig, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/** The options: the transactional email at Loops. It has its own sender, so `from` is not needed. */
export type LoopsOptions = Omit<EmailUserConfig, 'server'> &
  (LoopsMailOptions | (OwnMailSender & Partial<LoopsMailOptions>))

/** The options for an email at Loops. */
interface LoopsMailOptions {
  /** The id of a published transactional email with the data variable `url`, the link. */
  transactionalId: string
}

/**
 * Sends email links through Loops, in a transactional email that is written there: put the data variable `url` behind
 * its button. Create the key in the API settings (`AUTH_LOOPS_KEY`).
 *
 * Reference: https://loops.so/docs/api-reference/send-transactional-email
 */
export default function Loops(options: LoopsOptions): EmailConfig {
  return {
    id: 'loops',
    name: 'Loops',
    type: 'email',
    required: ['apiKey', 'transactionalId'],
    sendVerificationRequest(request) {
      const { identifier, url, provider } = request
      return sendByHttp(request, {
        url: 'https://app.loops.so/api/v1/transactional',
        headers: { authorization: `Bearer ${provider.apiKey}` },
        body: { transactionalId: options.transactionalId, email: identifier, dataVariables: { url } },
      })
    },
    options,
  }
}
