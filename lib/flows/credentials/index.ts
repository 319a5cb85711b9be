/** Sign-in with what a person typed. The developer's `authorize` decides. */
import type { AuthContext, Flow, FlowResult, ResolvedCredentialsProvider } from '../../context.js'
import { toAccountId } from '../../crypto/account-id.js'
import { AuthError, CallbackRouteError, CredentialsSignin, toError } from '../../errors.js'
import { type AuthRequest, type AuthResponse, toFetchHeaders } from '../../http/message.js'
import { withTimeout } from '../../timeout.js'
import type { User } from '../../types.js'

/** The flow of `credentials` providers. */
export const credentialsFlow: Flow<'credentials'> = { begin, finish, callbackMethods: () => ['POST'], ownForm: true }

/** There is nothing to begin: the form is on the sign-in page. */
async function begin({ urls }: AuthContext): Promise<AuthResponse> {
  return { kind: 'redirect', to: urls.page('signIn') }
}

async function finish(context: AuthContext, provider: ResolvedCredentialsProvider): Promise<FlowResult> {
  const credentials = declaredFields(provider, context.request.body)
  const user = await authorize(context, provider, credentials)
  const id = toAccountId(user.id)
  if (id === undefined) {
    throw new CallbackRouteError(
      `\`authorize\` of the provider "${provider.id}" must return a user with an \`id\` (a non-empty string or an integer), or null to refuse.`,
    )
  }
  const account = { provider: provider.id, providerAccountId: id, type: 'credentials' as const }
  return { kind: 'identity', identity: { user: { ...user, id }, account, credentials } }
}

async function authorize(
  { config, request }: AuthContext,
  provider: ResolvedCredentialsProvider,
  credentials: Record<string, unknown>,
): Promise<User> {
  let user: unknown
  try {
    const decision = Promise.resolve(provider.authorize(credentials, toRequest(request, credentials)))
    user = await withTimeout(decision, config.timeout, '`authorize`')
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new CallbackRouteError(`\`authorize\` of the provider "${provider.id}" threw.`, {
      err: toError(error),
      provider: provider.id,
    })
  }
  if (user === null || user === undefined || user === false) {
    throw new CredentialsSignin(`\`authorize\` of the provider "${provider.id}" refused.`)
  }
  return typeof user === 'object' ? user : {}
}

/** Fields of the form's own business. */
const ownFields: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation'])

/** Only declared inputs count; without a declaration every field but ours. Never the prototype's. */
function declaredFields(
  { credentials: inputs }: ResolvedCredentialsProvider,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const declared = Object.keys(inputs)
  const names = declared.length > 0 ? declared : Object.keys(body).filter((name) => !ownFields.has(name))
  const fields: Record<string, unknown> = Object.create(null)
  for (const name of names) if (Object.hasOwn(body, name)) fields[name] = body[name]
  return fields
}

/** The request for `authorize`: URL and headers as they came, the declared fields as a JSON body. */
function toRequest(request: AuthRequest, credentials: Record<string, unknown>): Request {
  const headers = toFetchHeaders(request.headers)
  headers.set('content-type', 'application/json')
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(credentials) })
}
