/** The part of connections in a sign-in, if the option `connections` is set. */
import type { FoundSignIn, JudgedSignIn, StepOf } from '../../actions/sign-in-stages.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { AuthContext, ResolvedConfig, ResolvedConnections, ResolvedOAuthProvider } from '../../contracts/index.js'
import { ReauthenticationRequired } from '../../errors.js'
import { flowOf } from '../../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { isProvedBy } from '../../principal/proofs.js'
import type { Awaitable } from '../../types/identity.js'
import { findDomain, isConnectionId, requiredConnections } from './store.js'

/** Loads the code of connections. */
export const loadConnections = createLazyLoader('Connections', () => import('./entry.js'))

/** Returns the provider of a connection; `undefined` if the id is none, or the connection is off. @throws {@link AdapterError} */
export function connectionProvider(
  config: ResolvedConfig,
  id: string | undefined,
): Awaitable<ResolvedOAuthProvider | undefined> {
  const { connections } = config
  if (!connections || !isConnectionId(id)) return undefined
  return mapMaybePromise(loadConnections(), (entry) => entry.findConnectionProvider(config, connections, id))
}

/**
 * Starts the sign-in by the connection of the address that was typed on the page that asks for it first; `undefined` if there is none.
 *
 * @throws {@link AdapterError}
 */
export function startTypedConnection(
  context: AuthContext,
  callbackUrl: SafeRedirect,
): Awaitable<AuthResponse | undefined> {
  const { connections } = context.config
  const { identifier } = context.request.body
  if (!connections || typeof identifier !== 'string' || !identifier.includes('@')) return undefined
  return startByAddress(context, connections, { identifier, callbackUrl })
}

async function startByAddress(
  context: AuthContext,
  connections: ResolvedConnections,
  { identifier, callbackUrl }: { identifier: string; callbackUrl: SafeRedirect },
): Promise<AuthResponse | undefined> {
  const { request } = context
  const { providerOfAddress } = await loadConnections()
  const provider = await providerOfAddress(context, connections, identifier)
  if (!provider) return undefined
  const url = new URL(request.url)
  url.searchParams.set('login_hint', identifier)
  return flowOf(provider).start({ ...context, request: { ...request, url } }, provider, callbackUrl)
}

/** Returns the steps. */
export const connectionSteps = (connections: ResolvedConnections) => [
  identityStep(connections),
  userStep(connections),
  admissionStep(connections),
  testStep(connections),
]

/** Removes an address that the connection cannot prove. */
const identityStep = (connections: ResolvedConnections): StepOf<'identity'> => ({
  name: 'address by a connection',
  stage: 'identity',
  async run({ context, identity }) {
    const { connection } = identity.source ?? {}
    if (!connection) return undefined
    return { identity: await (await loadConnections()).judgeIdentity(context, connections, { identity, connection }) }
  },
})

const userStepName = 'connection'

/**
 * Decides whether a connection may sign the user in, and whether another method may: not if the domain of the address belongs to an
 * organization whose connection is required. If the policy cannot be read, it throws.
 */
const userStep = (connections: ResolvedConnections): StepOf<'user'> => ({
  name: userStepName,
  stage: 'user',
  async run(signIn) {
    const { context, identity, userId, isAttached, to } = signIn
    const { via } = identity
    if (via) {
      const { judgeUser } = await loadConnections()
      const judged = await judgeUser(context, connections, { identity, via, userId, isAttached })
      if (judged.kind === 'confirm') return { confirmedIn: judged.session }
      if (judged.kind === 'begin') return { suspendedTo: signInFirst(context, identity.account.provider, to) }
    }
    // An attached method begins no session.
    if (isAttached) return undefined
    const elsewhere = await requiredElsewhere(connections, await partiesOf(signIn))
    if (elsewhere === undefined) return undefined
    return { suspendedTo: context.urls.endpoint('signin', elsewhere, { callbackUrl: to }) }
  },
})

/** Returns the sign-in page, which continues with the connection. */
function signInFirst({ urls }: AuthContext, id: string, callbackUrl: string): SafeRedirect {
  return urls.page('signIn', {
    callbackUrl: urls.endpoint('signin', id, { callbackUrl }),
    error: 'OAuthAccountNotLinked',
  })
}

/** The user of a sign-in, with all addresses that may be theirs, and the connections that are proved. */
interface Parties {
  readonly userId: string | undefined
  readonly addresses: ReadonlyArray<string | null | undefined>
  /** Checks whether the sign-in proves one of these connections. */
  readonly proves: (ids: ReadonlySet<string>) => boolean
}

async function partiesOf({ context, identity, userId }: JudgedSignIn): Promise<Parties> {
  const { account, user } = identity
  const stored = userId === undefined ? null : await context.config.store?.getUser(userId)
  const linked = account.type === 'email' ? account.providerAccountId : undefined
  return { userId, addresses: [stored?.email, user.email, linked], proves: (ids) => ids.has(account.provider) }
}

/** Returns the id of the connection by which the user has to sign in instead. @throws {@link AdapterError} */
async function requiredElsewhere(
  connections: ResolvedConnections,
  { userId, addresses, proves }: Parties,
): Promise<string | undefined> {
  for (const address of new Set(addresses)) {
    const domain = await findDomain(connections, address)
    const required = domain && (await requiredConnections(connections, domain.organizationId))
    if (!required || proves(required.ids)) continue
    if (userId === undefined || !required.exempt.has(userId)) return required.first.id
  }
  return undefined
}

/** Admits the user to the organization. A sign-in that continues after a second factor begins here: its policy is checked again. */
const admissionStep = (connections: ResolvedConnections): StepOf<'tokens'> => ({
  name: 'membership by a connection',
  stage: 'tokens',
  async run(signIn) {
    const { context, identity, ran } = signIn
    if (!ran.has(userStepName)) await assertStillAllowed(context.config, connections, signIn)
    const isAdmitting = connections.admit !== undefined || context.config.organizations?.stored !== undefined
    if (!isAdmitting || !isConnectionId(identity.account.provider)) return undefined
    const { admitUser } = await loadConnections()
    await admitUser(context, connections, signIn)
    return undefined
  },
})

async function assertStillAllowed(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { signedIn, identity }: FoundSignIn,
): Promise<void> {
  const { user } = signedIn
  const { provider } = identity.account
  if (isConnectionId(provider)) {
    const { assertStillSignsIn } = await loadConnections()
    const resumed = { provider, userId: user.id ?? '', isConfirming: identity.replaces !== undefined }
    await assertStillSignsIn(config, connections, resumed)
  }
  // The session of an app continues the proofs of a browser's session.
  const proves = (ids: ReadonlySet<string>) => isProvedBy(identity.proofs, ids)
  if ((await requiredElsewhere(connections, { userId: user.id, addresses: [user.email], proves })) === undefined) return
  throw new ReauthenticationRequired('The organization of the user requires its connection since the sign-in began.')
}

/** Stores that a member who may change the connection has signed in by it. */
const testStep = (connections: ResolvedConnections): StepOf<'after'> => ({
  name: 'tested connection',
  stage: 'after',
  async run({ context, signIn }) {
    const { account } = signIn?.identity ?? {}
    const userId = signIn?.signedIn.user.id
    if (userId === undefined || !isConnectionId(account?.provider)) return undefined
    const { noteTest } = await loadConnections()
    await noteTest(context.config, connections, { id: account.provider, userId })
    return undefined
  },
})
