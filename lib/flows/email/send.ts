/**
 * Sends emails after the response, because the time of a response that waited would reveal whether an address is known.
 */

import { redact } from '../../base/logger.js'
import { withTimeout } from '../../base/timeout.js'
import { emitEvent } from '../../callbacks/index.js'
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { EmailSignInError, toError } from '../../errors.js'
import { requestInfo, toFetchHeaders } from '../../http/message.js'
import { type Notice, type NoticeAbout, renderCodeMail, renderMail, renderNotice } from '../../pages/index.js'
import type { VerificationRequest } from '../../types/provider.js'

/** An email with a link or a code. */
export interface OutgoingMail {
  readonly purpose: VerificationRequest['purpose']
  readonly address: string
  readonly url: string
  /** The link to reset a forgotten password, for users with an account. */
  readonly resetUrl?: string
  /** The name of the organization of an invitation. */
  readonly organization?: string
  /** Empty if the link has no token. */
  readonly token: string
  readonly expires: Date
  /** In seconds. */
  readonly lifetime: number
}

/** Calls the provider's `sendVerificationRequest` in the background. Emits `events.failure` if it fails. */
export function sendMail(context: AuthContext, provider: ResolvedEmailProvider, letter: OutgoingMail): void {
  const { purpose, address, url, resetUrl, organization, token, expires, lifetime } = letter
  sendInBackground(context, provider, { ...letter, by: 'sendVerificationRequest' }, () => {
    const basics = mailDetails(context, provider, address)
    const frame = mailFrame(context)
    const mail =
      purpose === 'second-factor'
        ? renderCodeMail({ ...frame, code: token, lifetime })
        : renderMail({ ...frame, purpose, url, resetUrl, organization, lifetime })
    return provider.config.sendVerificationRequest({ ...basics, purpose, url, token, expires, mail })
  })
}

/** Notifies an address of a change of its user, if the provider sends such emails. It runs in the background too. */
export function sendNotice(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
  about?: NoticeAbout,
): void {
  if (!provider.sendNotice) return
  sendInBackground(context, provider, { address, by: 'sendNotice' }, () => {
    const basics = mailDetails(context, provider, address)
    const mail = renderNotice(mailFrame(context), about)
    return provider.sendNotice?.({ ...basics, mail })
  })
}

function mailDetails(
  { config, request }: AuthContext,
  { config: source, fetch }: ResolvedEmailProvider,
  address: string,
) {
  return {
    identifier: address,
    provider: source,
    theme: { ...config.theme },
    locale: config.languages.forRequest(request).locale,
    request: new Request(request.url, { method: 'POST', headers: toFetchHeaders(request.headers) }),
    fetch,
  }
}

/** Returns the host, theme and language of an email. The language is that of the request. */
function mailFrame({ config, request, urls }: AuthContext): Notice {
  return { host: new URL(urls.origin).host, theme: config.theme, language: config.languages.forRequest(request) }
}

type Secrets = Pick<OutgoingMail, 'address'> & Partial<Pick<OutgoingMail, 'url' | 'token'>>

function sendInBackground(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { by, ...secrets }: Secrets & { by: 'sendVerificationRequest' | 'sendNotice' },
  work: () => unknown,
): void {
  context.background.run(
    runAfterResponse(context, by, work).catch(async (thrown: unknown) => {
      const error = mailErrorWithoutSecrets(provider, secrets, toError(thrown))
      const { config, request } = context
      config.logger.error(error)
      await emitEvent(config, 'failure', {
        type: error.type,
        error,
        action: request.action,
        provider: provider.id,
        request: requestInfo(request),
      })
    }),
  )
}

async function runAfterResponse({ config }: AuthContext, by: string, work: () => unknown): Promise<void> {
  // Lets the response go out first: the developer's function may block the process before its first `await`.
  await new Promise((resolve) => setImmediate(resolve))
  await withTimeout(Promise.resolve(work()), config.timeout, `\`${by}\``)
}

/**
 * Returns the error without address and link: mail servers repeat the address in their messages, mail libraries the
 * link.
 */
function mailErrorWithoutSecrets(provider: ResolvedEmailProvider, secrets: Secrets, error: Error): EmailSignInError {
  const fault = new Error(withoutSecrets(error.message, secrets))
  fault.name = error.name
  fault.stack = withoutSecrets(error.stack ?? '', secrets)
  // The fields that nodemailer adds: the kind of failure, and the status code of the server.
  const { code, responseCode } = error as Error & Record<'code' | 'responseCode', unknown>
  if (typeof code === 'string') Object.assign(fault, { code })
  if (typeof responseCode === 'number') Object.assign(fault, { responseCode })
  return new EmailSignInError(`The provider "${provider.id}" could not send a mail.`, {
    err: fault,
    provider: provider.id,
  })
}

/**
 * Removes link, token and address by their exact text first: no pattern matches a short code or every form of address.
 */
function withoutSecrets(text: string, { url, token, address }: Secrets): string {
  const path = url === undefined ? undefined : `${new URL(url).pathname}?`
  const isLink = (word: string) => path !== undefined && word.includes(path)
  const words = text.split(/([\s"'<>\\]+)/).map((word) => (isLink(word) ? '[link]' : word))
  const rest = !token ? words.join('') : words.join('').replaceAll(token, '[token]')
  return redact(rest.replaceAll(address, '[address]'))
}
