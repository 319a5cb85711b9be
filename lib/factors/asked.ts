/** What a request to `two-factor` is about: a sign-in that waits for its second factor, or somebody who is signed in. */
import { readCallbackUrl } from '../callbacks/callback-url.js'
import type { AuthContext, FactorKind, SessionReading, TokenHolder } from '../contracts/index.js'
import { ReauthenticationRequired } from '../errors.js'
import { demandIn } from '../http/demand.js'
import type { SafeRedirect } from '../http/message.js'
import { guardedStore } from '../store/factors.js'
import type { FactorType } from '../types/factors.js'
import { findHeld, type Pending } from './held.js'
import { factorsOf, isEnrolled, type Scene, type Subject, sceneOf, usableKinds } from './subject.js'

/** Seconds after a sign-in for which second factors can be added and removed. */
const freshFor = 5 * 60

interface Common {
  readonly scene: Scene
  /** Where the person goes afterwards. */
  readonly to: SafeRedirect
}

/** The first factor is proved, and nobody is signed in by it. */
export interface AskedToSignIn extends Common {
  readonly kind: 'held'
  readonly pending: Pending
  /** The person has no second factor, and needs one. */
  readonly mustEnrol: boolean
}

/** Somebody is signed in. */
export interface AskedInSession extends Common {
  readonly kind: 'session'
  readonly reading: SessionReading
  /** Whose session it is, and which one. */
  readonly holder: TokenHolder
}

/** Who asks, and for what. */
export type Asked = AskedToSignIn | AskedInSession

/** The sign-in that waits in this browser. */
export async function askedToSignIn(context: AuthContext): Promise<AskedToSignIn | undefined> {
  const options = factorsOf(context)
  const pending = await findHeld(context, () => guardedStore(options))
  if (!pending) return undefined
  const { userId, to } = pending.held
  const subject: Subject = { userId, key: `held ${pending.id}`, first: firstOf(pending) }
  const scene = await sceneOf(context, subject)
  return { kind: 'held', scene, to, pending, mustEnrol: !isEnrolled(scene.rows) }
}

function firstOf({ held: { identity } }: Pending): Subject['first'] {
  const { account, byMail, amr } = identity
  if (account.type === 'email' || byMail || isCode(amr)) return 'mail'
  if (account.type === 'credentials') return 'password'
  return account.type === 'passkey' || account.type === 'webauthn' ? 'passkey' : undefined
}

/** What the one factor of a session was, by its methods; nothing keeps a session with two from proving one of them anew. */
function firstIn({ aal, amr = [] }: SessionReading['authentication']): Subject['first'] {
  if (aal === 2) return undefined
  if (isCode(amr)) return 'mail'
  if (amr.includes('pwd')) return 'password'
  return amr.includes('user') && (amr.includes('hwk') || amr.includes('swk')) ? 'passkey' : undefined
}

/** Whether a code was all that was proved: it may have been a mailed one. */
function isCode(amr: readonly string[]): boolean {
  return amr.length > 0 && amr.every((method) => method === 'otp')
}

/** The person who is signed in. */
export async function askedInSession(context: AuthContext): Promise<AskedInSession | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  const { holder } = reading ?? {}
  if (!reading || !holder) return undefined
  const { userId, id } = holder
  const scene = await sceneOf(context, { userId, key: `session ${id}`, first: firstIn(reading.authentication) })
  return { kind: 'session', scene, to: await readCallbackUrl(context), reading, holder }
}

/** Seconds since the sign-in, or the last proof of a factor; without end where that is not known. */
function ageOf({ reading }: AskedInSession): number {
  const { auth_time: since } = reading.authentication
  return since === undefined ? Number.POSITIVE_INFINITY : Date.now() / 1000 - since
}

/**
 * Whether the person may change what they have: they have just proved who they are, by as much as they can. Who has found a browser
 * unlocked, or stolen a cookie, changes nothing (MF-07).
 */
export function mayManage(asked: Asked): boolean {
  if (asked.kind === 'held') return asked.mustEnrol
  const level = asked.reading.authentication.aal ?? 1
  return ageOf(asked) <= freshFor && (level === 2 || !isEnrolled(asked.scene.rows))
}

/** @throws {@link ReauthenticationRequired} */
export function assertMayManage(asked: Asked): void {
  if (mayManage(asked)) return
  throw new ReauthenticationRequired(
    'Second factors are changed within five minutes of a sign-in with all that one has.',
  )
}

/** What proves one of these methods (RFC 8176), where a guard wants one. */
function gives({ type }: FactorKind, wanted: readonly string[]): boolean {
  const methods = type === 'passkey' ? ['hwk', 'swk', 'user', 'mfa'] : ['otp', 'mfa']
  return wanted.length === 0 || wanted.some((method) => methods.includes(method))
}

/** What the person can use, and what a guard is content with. */
export function kindsFor({ scene }: Asked): FactorKind[] {
  const { amr: wanted = [] } = demandIn(scene.context.request.url.searchParams)
  return usableKinds(scene).filter((kind) => gives(kind, wanted))
}

/** The kind that the path names, if the person can use it; without a name the first that they can use. */
export function kindAsked(asked: Asked, name: string | undefined): FactorKind | undefined {
  const usable = kindsFor(asked)
  if (name !== undefined) return usable.find(({ type }) => type === name)
  return usable.find(({ type }) => type !== 'recovery') ?? usable[0]
}

/** The kind that the path names, whether the person has it or not. */
export function kindNamed({ scene }: Asked, name: string | undefined): FactorKind | undefined {
  return scene.options.kinds.get(name as FactorType)
}
