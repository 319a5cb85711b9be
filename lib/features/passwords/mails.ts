/** Mails about passwords, and the work behind an answer that must not tell by its time what was found. */
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { AuthError, CallbackRouteError, toError } from '../../errors.js'
import { sendMail, sendNotice } from '../../flows/email/send.js'
import type { AdapterUser } from '../../types/adapter.js'

/** Milliseconds: the answer has left the process by then, so that work for known addresses alone does not delay it. */
const pause = 10

/** Works once the answer is out. What fails is logged. */
export function inBackground(
  { config, background }: AuthContext,
  { id }: PasswordProvider,
  work: () => Promise<unknown>,
) {
  const later = async () => {
    await new Promise((resolve) => setTimeout(resolve, pause))
    await work()
  }
  background.run(
    later().catch((thrown: unknown) => {
      const what = `What the provider "${id}" does after its answer failed.`
      config.logger.error(thrown instanceof AuthError ? thrown : new CallbackRouteError(what, toError(thrown)))
    }),
  )
}

/** Tells who has an account already that somebody tried to sign up with their address. */
export function mailHaveAccount(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  const { urls } = context
  sendMail(context, password.mailer, {
    purpose: 'have-account',
    address: email,
    url: urls.page('signIn'),
    resetUrl: urls.endpoint('password', 'forgot'),
    token: '',
    // It does not end.
    expires: new Date(Date.now() + 24 * 60 * 60 * 1000),
    lifetime: 24 * 60 * 60,
  })
}

/** Tells a user that their password was changed, if the provider sends such mails. */
export function mailChanged(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  if (email) sendNotice(context, password.mailer, email, 'password')
}
