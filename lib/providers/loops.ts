/** Loops — https://loops.so/docs/api-reference/send-transactional-email · links lead to `<origin>/auth/callback/loops` */
import { sendByHttp } from '../mail/http-mail.js'
import type { EmailConfig, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/** Options: which mail of yours at Loops is sent. It has a sender of its own, so `from` is not needed. */
export type LoopsOptions = Omit<EmailUserConfig, 'server'> & (MailOptions | (OwnMailSender & Partial<MailOptions>))

/** What Loops needs to send a mail. */
interface MailOptions {
  /** The id of a published transactional mail with the data variable `url`, the link. */
  transactionalId: string
}

/**
 * Mails links through Loops, in a transactional mail that is written there: put the data variable `url` behind its button.
 * The key is made in the API settings (`AUTH_LOOPS_KEY`).
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
