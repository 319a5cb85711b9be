/** Checks of mail servers: whether they accept the login. No email is sent. */
import { verifySmtp } from '../../../mail/smtp.js'
import type { ValidDoctorContext } from '../context.js'
import { errorCode, type Finding, failure, ok } from '../finding.js'
import { describeNetworkError } from './network.js'

/** Checks each provider that sends over SMTP. */
export async function checkMail({ resolved }: ValidDoctorContext): Promise<Finding[]> {
  const servers = [...resolved.providers.values()].flatMap((provider) => {
    const server: unknown = provider.kind === 'email' ? provider.config.server : undefined
    return typeof server === 'string' || (typeof server === 'object' && server !== null)
      ? [{ id: provider.id, server }]
      : []
  })
  return Promise.all(
    servers.map(async ({ id, server }) => {
      try {
        await verifySmtp(server)
        return ok('mail.reach', `Provider "${id}": the mail server accepts the login.`)
      } catch (error) {
        if (errorCode(error) === 'EAUTH') {
          return failure(
            'mail.login',
            `Provider "${id}": the mail server does not take the user and the password. Correct \`server\`, with special characters percent-encoded.`,
          )
        }
        return failure('mail.reach', `Provider "${id}": the mail server ${describeNetworkError(error).message}`)
      }
    }),
  )
}
