/**
 * `GET verify-request`: the page after an email was sent. In the browser that has asked for it, the page shows the
 * address and offers another email. The address is read from a sealed cookie of this browser, never from the URL.
 */
import type { AuthContext } from '../contracts/index.js'
import { type AuthError, TooManyRequests } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { againField, asksAgain, readLatestLink, readMailedAddress } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import {
  type PageResponse,
  pageResponse,
  type RequestedMail,
  renderVerifyRequest,
  type VerifyRequestPage,
} from '../pages/index.js'
import { csrfTokenForForm } from '../session/csrf.js'

/** The kinds of email by the type in the query. A map, because an object would also find `constructor`. */
const mailKinds: ReadonlyMap<string, MailKind> = new Map([
  ['email', 'email'],
  ['sign-up', 'signUp'],
  ['reset-password', 'reset'],
])

type MailKind = 'email' | 'signUp' | 'reset'

/** Returns the page after an email was sent. */
export async function verifyRequest(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const { searchParams } = request.url
  const custom = urls.customPage('verifyRequest', Object.fromEntries(searchParams))
  if (custom) return { kind: 'redirect', to: custom }
  const kind = mailKinds.get(searchParams.get('type') ?? '') ?? 'email'
  const mail = await requestedMail(context, kind, searchParams.get('provider') ?? '')
  const again = mail && searchParams.get('again') === '1' ? 'sent' : undefined
  return verifyRequestPage(context, 200, { kind, mail, again })
}

/**
 * Returns the page for a rejected request for another email, with the time to wait; `undefined` for any other request
 * or error.
 */
export async function rejectedAgainPage(context: AuthContext, error: AuthError): Promise<PageResponse | undefined> {
  const { config, request, urls } = context
  if (!(error instanceof TooManyRequests) || urls.customPage('verifyRequest') !== undefined) return undefined
  const kind = request.method === 'POST' && asksAgain(context) ? kindsByAction.get(request.action) : undefined
  if (!kind) return undefined
  const provider = kind === 'reset' ? passwordProviderOf(config)?.id : request.providerId
  const mail = await requestedMail(context, kind, provider ?? '')
  return mail && verifyRequestPage(context, 429, { kind, mail, again: { wait: error.retryAfter } })
}

const kindsByAction: ReadonlyMap<string, MailKind> = new Map([
  ['signin', 'email'],
  ['signup', 'signUp'],
  ['password', 'reset'],
])

/** Returns the email that this browser has asked for, and the form for another one; `undefined` without one. */
async function requestedMail(
  context: AuthContext,
  kind: MailKind,
  provider: string,
): Promise<RequestedMail | undefined> {
  const { config, urls } = context
  if (!config.providers.has(provider)) return undefined
  const mailed =
    kind === 'email'
      ? await readLatestLink(context)
      : await readMailedAddress(context, kind === 'signUp' ? 'sign-up' : 'reset-password', provider)
  if (mailed?.provider !== provider) return undefined
  const { address, callbackUrl } = mailed
  const actions = {
    email: urls.endpoint('signin', provider),
    signUp: urls.endpoint('signup', provider),
    reset: urls.endpoint('password', 'forgot'),
  }
  const action = actions[kind]
  return { address, callbackUrl, action, fields: { email: address, [againField]: '1' } }
}

function verifyRequestPage(
  context: AuthContext,
  status: number,
  { kind, mail, again }: Pick<VerifyRequestPage, 'mail' | 'again'> & { readonly kind: MailKind },
): PageResponse {
  const { config, urls } = context
  const csrfToken = csrfTokenForForm(context)
  return pageResponse(context, status, (frame) =>
    renderVerifyRequest({
      ...{ frame, csrfToken, mail, again, homeUrl: urls.home },
      after: kind === 'email' ? undefined : kind,
      signInUrl: urls.page('signIn', { callbackUrl: mail?.callbackUrl }),
      hasOtherMethods: config.providers.size > 1,
      identifierUrl:
        config.theme.identifierFirst && urls.customPage('signIn') === undefined ? urls.endpoint('signin') : undefined,
    }),
  )
}
