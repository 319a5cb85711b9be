/** Sign-in with typed credentials, such as a password. The developer's `callAuthorize` checks them. */
import { isCaseStable } from '../../base/email-address.js'
import { isPromiseLike } from '../../base/maybe-promise.js'
import { withTimeout } from '../../base/timeout.js'
import type {
  AuthContext,
  Flow,
  FlowResult,
  ResolvedConfig,
  ResolvedCredentialsProvider,
} from '../../contracts/index.js'
import { toAccountId } from '../../crypto/account-id.js'
import { AuthError, CallbackRouteError, CredentialsSignin, toError } from '../../errors.js'
import { type AuthRequest, type AuthResponse, toFetchHeaders } from '../../http/message.js'
import type { User } from '../../types/identity.js'

/** The flow of `credentials` providers. */
export const credentialsFlow: Flow<'credentials'> = {
  start: redirectToSignInForm,
  complete: completeCredentials,
  callbackMethods: () => ['POST'],
  hasOwnForm: true,
}

/** Redirects to the sign-in page, which has the form. */
async function redirectToSignInForm({ urls }: AuthContext): Promise<AuthResponse> {
  return { kind: 'redirect', to: urls.page('signIn') }
}

async function completeCredentials(context: AuthContext, provider: ResolvedCredentialsProvider): Promise<FlowResult> {
  const credentials = declaredFields(provider, context.request.body, context.config.rateLimit?.captcha?.field)
  const user = await callAuthorize(context, provider, credentials)
  const id = toAccountId(user.id)
  const providerAccountId = id ?? addressAsId(context.config, user)
  if (providerAccountId === undefined) throw missingId(context.config, provider)
  const account = { provider: provider.id, providerAccountId, type: 'credentials' as const }
  return {
    kind: 'identity',
    identity: { user: id === undefined ? user : { ...user, id }, account, credentials, amr: ['pwd'] },
  }
}

/**
 * Returns the account id of a user whom `callAuthorize` returns without an id: the email address, with database sessions
 * only. It leads to users that this provider has created, never to another user with the same address.
 */
function addressAsId(config: ResolvedConfig, { id, email }: User): string | undefined {
  const isAsked = config.session.strategy === 'database' && (id === undefined || id === null)
  return isAsked && typeof email === 'string' && isCaseStable(email) ? toAccountId(email.toLowerCase()) : undefined
}

function missingId({ session }: ResolvedConfig, { id }: ResolvedCredentialsProvider): CallbackRouteError {
  const address =
    session.strategy === 'database' ? ', or with an `email`' : ', because JWT sessions have no other identifier'
  return new CallbackRouteError(
    `\`authorize\` of the provider "${id}" must return a user with an \`id\` (a non-empty string or an integer)${address}. Return \`null\` to reject the sign-in.`,
  )
}

async function callAuthorize(
  { config, request }: AuthContext,
  provider: ResolvedCredentialsProvider,
  credentials: Record<string, unknown>,
): Promise<User> {
  let user: unknown
  try {
    const given = provider.readsRequest ? [credentials, createAuthorizeRequest(request, credentials)] : [credentials]
    const decision: unknown = Reflect.apply(provider.authorize, provider, given)
    user = isPromiseLike(decision)
      ? await withTimeout(Promise.resolve(decision), config.timeout, '`authorize`')
      : decision
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new CallbackRouteError(`\`authorize\` of the provider "${provider.id}" threw.`, {
      err: toError(error),
      provider: provider.id,
    })
  }
  if (user === null || user === undefined || user === false) {
    throw new CredentialsSignin(`\`authorize\` of the provider "${provider.id}" rejected the credentials.`)
  }
  return typeof user === 'object' ? user : {}
}

/** Fields of the form that are not passed to `callAuthorize`. */
const ownFields: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation'])

/**
 * Returns the declared inputs; without a declaration every field but the form's own. Each is text, as a form sends it.
 * With JSON, an attacker could send an object, which some databases read as a condition (`{ "$ne": "" }`), or a list of
 * many guesses.
 *
 * @throws {@link CredentialsSignin} for another type of value, unless the provider accepts JSON.
 */
function declaredFields(
  provider: ResolvedCredentialsProvider,
  body: Readonly<Record<string, unknown>>,
  captchaField: string | undefined,
): Record<string, unknown> {
  const { id, credentials: inputs, json } = provider
  const declared = Object.keys(inputs)
  const names =
    declared.length > 0 ? declared : Object.keys(body).filter((name) => !ownFields.has(name) && name !== captchaField)
  const fields: Record<string, unknown> = Object.create(null)
  for (const name of names.filter((each) => Object.hasOwn(body, each))) {
    const value = body[name]
    if (typeof value !== 'string' && !(inputs[name]?.json ?? json)) {
      throw new CredentialsSignin(
        `A field for the provider "${id}" is not a string. Set \`json: true\` for its input or for the provider to accept other values.`,
      )
    }
    fields[name] = value
  }
  return fields
}

/** Creates the request for `callAuthorize`: original URL and headers, with the declared fields as a JSON body. */
function createAuthorizeRequest(request: AuthRequest, credentials: Record<string, unknown>): Request {
  const headers = toFetchHeaders(request.headers, 'content-type')
  headers.push(['content-type', 'application/json'])
  return new Request(request.url.href, { method: 'POST', headers, body: JSON.stringify(credentials) })
}
