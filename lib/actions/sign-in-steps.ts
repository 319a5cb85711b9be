/** The steps of a sign-in. This list is the only place that names the features which take part in one. */
import { perOwner } from '../base/memory.js'
import { warnOnce } from '../base/warn-once.js'
import { emit, tellEnded, toldAccount } from '../callbacks/events.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { secondFactor } from '../features/factors/steps.js'
import { browserTokens, providerTokens } from '../features/tokens/steps.js'
import { keepProviderSession } from '../flows/index.js'
import { coarseNetworkOf, isProxyAddress } from '../http/addresses.js'
import { deviceCodeOf } from '../http/device.js'
import { requestInfo } from '../http/message.js'
import { renewCsrf, retireCsrf } from '../session/csrf.js'
import { markOf, readStamp } from '../session/security-stamp.js'
import { attaching } from './attach.js'
import { reauthentication, sameUser } from './reauthentication.js'
import { keepSignedIn } from './remember.js'
import { type Step, type StepOf, stages } from './sign-in-stages.js'

/** Returns the steps that a configuration has, in the order in which they run. */
export const stepsOf = perOwner((config: ResolvedConfig): readonly Step[] => {
  const steps = stepsIn(config)
  return stages.flatMap((stage) => steps.filter((step) => step.stage === stage))
})

/** Lists the steps. Within a stage they run in this order. */
const stepsIn = ({ session, factors, tokens }: ResolvedConfig): Step[] => [
  ...(session.rememberMaxAge === undefined ? [] : [keepSignedIn]),
  reauthentication,
  // Read first: an end of all sessions that comes later changes the stamp.
  ...(session.stamps ? [securityStamp] : []),
  sameUser,
  attaching,
  ...(factors ? [secondFactor] : []),
  ...(tokens ? [providerTokens, browserTokens] : []),
  place,
  providerSession,
  csrf,
  events,
]

/** Reads the security stamp of the user. Flows that know the user earlier have read it before they verified anything. */
const securityStamp: StepOf<'user'> = {
  name: 'security stamp',
  stage: 'user',
  async run({ context, identity: { account, providerLink: link }, userId, isAttached, stamp }) {
    if (userId === undefined || stamp?.userId === userId) return undefined
    const sid = isAttached ? (await context.sessions.owner(context))?.sid : undefined
    const { provider, providerAccountId } = account
    const credentialID = 'credentialID' in account ? account.credentialID : undefined
    const method = typeof credentialID === 'string' ? { credentialID } : { provider, providerAccountId }
    return { stamp: await readStamp(context.config, { userId, sid, link, method, mark: markOf(context) }) }
  },
}

const providerSession: StepOf<'after'> = {
  name: 'session at the provider',
  stage: 'after',
  async run({ context, signIn }) {
    if (signIn) await keepProviderSession(context, signIn.identity.providerSession)
    return undefined
  },
}

const csrf: StepOf<'after'> = {
  name: 'CSRF token',
  stage: 'after',
  run({ context }) {
    retireCsrf(context)
    renewCsrf(context)
    return undefined
  },
}

const events: StepOf<'after'> = {
  name: 'events',
  stage: 'after',
  async run({ context: { config, request: asked }, sid, replaced, reason, signIn }) {
    const request = requestInfo(asked)
    await tellEnded(config, replaced, { reason, endedBy: sid, request })
    if (!signIn) return undefined
    const { signedIn, identity } = signIn
    // With credentials the event gets the value returned by `authorize`.
    const user = identity.isTyped ? identity.user : signedIn.user
    await emit(config, 'signIn', { ...signedIn, user, account: toldAccount(signedIn), sid, request })
    return undefined
  },
}

/* ---- session place ----------------------------------------------------------------------------------------------- */

// Where a session begins, as far as the person's list of sessions shows it: on what kind of device, and from which network.

/** Adds the parts of the request that the session keeps. */
export const place: StepOf<'session'> = {
  name: 'device and network',
  stage: 'session',
  run: ({ context, beginning }) => ({
    beginning: { ...beginning, device: deviceCodeOf(context.request.headers), network: networkOf(context) },
  }),
}

/** The client's network, where the application wants it. That of a proxy which it does not trust would be everybody's. */
function networkOf({ config, request }: AuthContext): string | undefined {
  if (!config.session.network || request.ip === undefined) return undefined
  if (!isProxyAddress(request)) return coarseNetworkOf(request.ip)
  warnOnce(config, 'unknown-network', unknownNetwork)
  return undefined
}

const unknownNetwork =
  'A proxy connects for other clients, but the application does not trust it: sessions do not say from which network they began (`session.network`). In Express set app.set("trust proxy", 1), or as many as there are proxies; elsewhere hand over the client\'s `ip`.'
