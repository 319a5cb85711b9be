/** Sends the mail, after the answer is out: how long it takes tells nobody whether an address is known. */
import type { AuthContext, ResolvedEmailProvider } from '../../context.js'
import { EmailSignInError, toError } from '../../errors.js'
import { requestInfo, toFetchHeaders } from '../../http/message.js'
import { redact } from '../../logger.js'
import { renderMail } from '../../pages/index.js'
import { emit } from '../../session/events.js'
import { withTimeout } from '../../timeout.js'

/** What is to be sent. */
export interface Letter {
  readonly address: string
  readonly url: string
  readonly token: string
  readonly expires: Date
}

/** Hands the mail to the provider's `sendVerificationRequest`, in the background. What goes wrong is logged and told. */
export function sendMail(context: AuthContext, provider: ResolvedEmailProvider, letter: Letter): void {
  context.background.run(
    send(context, provider, letter).catch(async (thrown: unknown) => {
      const error = toFault(provider, letter, toError(thrown))
      const { config, request } = context
      config.logger.error(error)
      await emit(config, 'failure', {
        type: error.type,
        error,
        action: request.action,
        provider: provider.id,
        request: requestInfo(request),
      })
    }),
  )
}

async function send(context: AuthContext, provider: ResolvedEmailProvider, letter: Letter): Promise<void> {
  // The answer first: a function of the developer's may compute for long before it waits for anything.
  await new Promise((resolve) => setImmediate(resolve))
  const { config, request, urls } = context
  const { address, url, token, expires } = letter
  const { theme } = config
  const mail = renderMail({ url, host: new URL(urls.origin).host, lifetime: provider.maxAge, theme })
  const work = provider.source.sendVerificationRequest({
    identifier: address,
    url,
    token,
    expires,
    provider: provider.source,
    theme: { ...theme },
    request: new Request(request.url, { method: 'POST', headers: toFetchHeaders(request.headers) }),
    mail,
    fetch: provider.fetch,
  })
  await withTimeout(Promise.resolve(work), config.timeout, '`sendVerificationRequest`')
}

/** Mail servers repeat the address, and libraries the whole mail with its link. */
function toFault(provider: ResolvedEmailProvider, letter: Letter, error: Error): EmailSignInError {
  const fault = new Error(withoutLetter(error.message, letter))
  fault.name = error.name
  fault.stack = withoutLetter(error.stack ?? '', letter)
  // What nodemailer adds: the kind of failure, and the number of the server's answer.
  const { code, responseCode } = error as Error & Record<'code' | 'responseCode', unknown>
  if (typeof code === 'string') Object.assign(fault, { code })
  if (typeof responseCode === 'number') Object.assign(fault, { responseCode })
  return new EmailSignInError(`The provider "${provider.id}" could not send a mail.`, {
    err: fault,
    provider: provider.id,
  })
}

/** By what they are, before patterns are tried: a short code looks like any number, and addresses have odd letters. */
function withoutLetter(text: string, { url, token, address }: Letter): string {
  const { pathname } = new URL(url)
  const words = text.split(/([\s"'<>\\]+)/).map((word) => (word.includes(`${pathname}?`) ? '[link]' : word))
  return redact(words.join('').replaceAll(token, '[token]').replaceAll(address, '[address]'))
}
