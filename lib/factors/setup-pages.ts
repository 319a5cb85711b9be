/** The pages of a person's second factors: the list, adding one, and recovery codes. */
import type { AuthContext, FactorKind, FactorKindOf } from '../contracts/index.js'
import { InvalidCode, InvalidRequest } from '../errors.js'
import { Attempts } from '../flows/attempt.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import type { QueryParams } from '../http/urls.js'
import {
  pageResponse,
  type QrCode,
  qrSvg,
  renderAddFactor,
  renderFactorList,
  renderRecoveryCodes,
  textOf,
} from '../pages/index.js'
import { meets, type Proof, requirementIn, wantsTwo } from '../principal/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import type { FactorType } from '../types/factors.js'
import { type Asked, assertMayManage, type FactorResult, wantsData } from './asked.js'
import { mailCode } from './email-factor.js'
import { endHeld } from './held.js'
import { accountName, addFactor, enrolledFactors, firstCodes, removeFactor, told } from './manage.js'
import { passkeyOptionsOf } from './passkey-factor.js'
import { renewCodes } from './recovery-factor.js'
import { isAnother, isEnrolled, lookAgain, type Scene } from './subject.js'
import { createTotp, showTotp, type TotpSecret } from './totp-factor.js'
import { methods } from './verify.js'

/** An authenticator app that is being added. It is good for this person, in this session or sign-in, in this browser. */
type SetupFacts = TotpSecret & { readonly userId: string; readonly of: string }

const setups = new Attempts<SetupFacts>('factor-setup')

/** `GET two-factor?setup`, and `GET two-factor/<type>?setup`. */
export async function showSetup(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  assertMayManage(asked)
  const { request, config, urls } = context
  const kind = request.providerId === undefined ? undefined : kindToAdd(asked, request.providerId)
  const own = config.pages.twoFactorSetup
  if (own !== undefined && !wantsData(context)) {
    return { kind: 'redirect', to: urls.at(own, { callbackUrl: asked.to, factor: kind?.type }) }
  }
  return kind && kind.type !== 'recovery' ? showAdding(context, asked, { kind }) : showList(context, asked)
}

async function showList(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  const { request, urls } = context
  const { scene, to } = asked
  const factors = await enrolledFactors(scene)
  const addable = await addableTypes(scene)
  if (wantsData(context)) {
    return { kind: 'json', status: 200, data: { asksFor: 'setup', factors, addable, callbackUrl: to } }
  }
  const canHaveCodes = scene.options.kinds.has('recovery') && isEnrolled(scene.rows)
  const codes = canHaveCodes ? urls.endpoint('two-factor', 'recovery') : undefined
  return pageResponse(context, 200, (frame) =>
    renderFactorList({
      frame,
      csrfToken: csrfTokenFor(context),
      callbackUrl: to,
      action: urls.endpoint('two-factor'),
      factors,
      addable: addable.map((type) => ({ type, url: setupUrl(context, asked, type) })),
      codesUrl: codes,
      mustEnrol: asked.kind === 'held',
      cancelUrl: cancelUrl(context, asked),
      error: request.url.searchParams.get('error') ?? undefined,
    }),
  )
}

/** Where who adds nothing goes: not to the page whose guard sent them here, as long as it would send them here again. */
function cancelUrl({ request, urls }: AuthContext, asked: Asked): string | undefined {
  if (asked.kind === 'held') return urls.page('signIn', { callbackUrl: asked.to })
  const isWanted = wantsTwo(requirementIn(request.url.searchParams))
  return isWanted && !meets(asked.principal.proofs, { aal: 2 }) ? urls.home : undefined
}

function setupUrl({ urls }: AuthContext, { to }: Asked, type?: FactorType, params: QueryParams = {}) {
  return urls.endpoint('two-factor', type, { setup: '1', callbackUrl: to, ...params })
}

/** What the person could add. */
async function addableTypes(scene: Scene): Promise<FactorType[]> {
  const types: FactorType[] = []
  for (const type of scene.options.kinds.keys()) {
    if (isAnother(scene, type) && (await methods[type].canAdd(scene))) types.push(type)
  }
  return types
}

type Adding = {
  readonly kind: Exclude<FactorKind, { type: 'recovery' }>
  readonly secret?: TotpSecret
  readonly error?: string
}

/** The page on which a factor is added. Of an app a new secret, unless a wrong code was typed for the one that was shown. */
async function showAdding(context: AuthContext, asked: Asked, { kind, secret, error }: Adding): Promise<AuthResponse> {
  const { request, urls } = context
  if (kind.type === 'passkey' && (wantsData(context) || request.body.intent === 'setup-begin')) {
    return { kind: 'json', status: 200, data: await passkeyOptionsOf(asked.scene, kind) }
  }
  const prepared = kind.type === 'totp' ? await prepareTotp(context, asked, kind, secret) : undefined
  if (wantsData(context)) {
    const { totp: { qr, ...shown } = {}, ...sealed } = prepared ?? {}
    const drawn = qr && { qr: qrSvg(qr, textOf(context.config.languages.of(request), 'factors.qr')) }
    return { kind: 'json', status: 200, data: { asksFor: 'code', factor: kind.type, ...shown, ...sealed, ...drawn } }
  }
  return pageResponse(context, error === undefined ? 200 : 401, (frame) =>
    renderAddFactor({
      frame,
      type: kind.type,
      action: urls.endpoint('two-factor', kind.type),
      csrfToken: csrfTokenFor(context),
      callbackUrl: asked.to,
      isSent: request.method === 'POST' || request.url.searchParams.has('sent'),
      cancelUrl: setupUrl(context, asked),
      error: error ?? request.url.searchParams.get('error') ?? undefined,
      ...prepared,
    }),
  )
}

async function prepareTotp(context: AuthContext, asked: Asked, kind: FactorKindOf<'totp'>, secret = createTotp()) {
  const { userId, key: of } = asked.scene.subject
  const setup = await setups.seal(context, { id: secret.id, key: secret.key, userId, of }, [])
  const totp = showTotp(asked.scene, kind, { key: secret.key, account: accountName(asked) })
  return { setup, totp: { ...totp, qr: await drawQr(totp.uri) } }
}

/** The code as rows of modules; `undefined` where the optional `uqr` is not installed: the secret stands there as text in any case. */
async function drawQr(uri: string): Promise<QrCode | undefined> {
  // Within `try`, bundlers take it that the package may be missing.
  try {
    const { encode } = await import('uqr')
    return encode(uri, { ecc: 'M', border: 0 }).data
  } catch {
    return undefined
  }
}

/** `POST two-factor/<type>` of the page on which a factor is added. */
export async function answerSetup(context: AuthContext, asked: Asked): Promise<FactorResult> {
  const { request } = context
  const { intent } = request.body
  const kind = kindToAdd(asked, request.providerId)
  if (kind.type === 'recovery') throw noSuchFactor()
  const again = (params: QueryParams) => setupUrl(context, asked, kind.type, params)
  if (intent !== 'setup') {
    if (kind.type === 'email' && !(await mailCode(asked.scene, kind, 'setup'))) {
      throw new InvalidRequest('The account has no address that is proved: no code can be sent.', 409)
    }
    if (kind.type !== 'email' && intent === 'setup-send')
      throw new InvalidRequest('Only a factor of the type "email" sends codes.')
    if (intent === 'setup-send') return { kind: 'redirect', to: again({ sent: '1' }) }
    return showAdding(context, asked, { kind })
  }
  const secret = kind.type === 'totp' ? await openSetup(context, asked) : undefined
  const proof = await addFactor(asked.scene, kind, secret)
  if (proof) return added(context, asked, proof)
  if (wantsData(context)) throw new InvalidCode('A wrong code was given for a second factor that is being added.')
  const error = 'InvalidCode'
  if (secret) return showAdding(context, asked, { kind, secret, error })
  return { kind: 'redirect', to: again({ sent: kind.type === 'email' ? '1' : undefined, error }) }
}

/** The kind that the path names. One that is added is proved by that, and must not count for two. @throws {@link InvalidRequest} */
function kindToAdd({ scene }: Asked, name: string | undefined): FactorKind {
  const kind = scene.options.kinds.get(name as FactorType)
  if (!kind) throw noSuchFactor()
  if (isAnother(scene, kind.type)) return kind
  throw new InvalidRequest(
    `A second factor of the type "${kind.type}" is not added after a sign-in by the same means: it would prove nothing more. Sign in another way.`,
    409,
  )
}

function noSuchFactor(): InvalidRequest {
  return new InvalidRequest('There is no such second factor.', 404)
}

/** @throws {@link InvalidRequest} for one that is too old, of another browser or another person. */
async function openSetup(context: AuthContext, { scene: { subject } }: Asked): Promise<TotpSecret> {
  const { setup } = context.request.body
  const opened = typeof setup === 'string' ? await setups.open(context, setup, []) : undefined
  const { attempt } = opened ?? {}
  if (attempt && opened?.isHere && attempt.userId === subject.userId && attempt.of === subject.key) {
    return { id: attempt.id, key: attempt.key }
  }
  throw new InvalidRequest(
    'The page is too old, or was opened in another browser. Begin again with the authenticator app.',
  )
}

/** A factor was added, and proved by that: the session goes up, or the sign-in that waited goes on. */
async function added(context: AuthContext, asked: Asked, proof: Proof): Promise<FactorResult> {
  const isFirst = !isEnrolled(asked.scene.rows)
  const codes = await firstCodes(await lookAgain(asked.scene), isFirst)
  // Whoever was on the way somewhere goes on; else there is the list.
  const to = asked.to === context.urls.home ? setupUrl(context, asked) : asked.to
  const next = (): AuthResponse => (codes ? showCodes(context, codes, to) : { kind: 'redirect', to })
  if (asked.kind === 'held' && !(await endHeld(asked.scene, asked.pending))) {
    throw new InvalidRequest('The sign-in was completed elsewhere.', 409)
  }
  return { kind: 'proved', asked, proof, next }
}

function showCodes(context: AuthContext, codes: readonly string[], to: SafeRedirect): AuthResponse {
  if (wantsData(context)) return { kind: 'json', status: 200, data: { recoveryCodes: codes, url: to } }
  return pageResponse(context, 200, (frame) => renderRecoveryCodes({ frame, codes, nextUrl: to }))
}

/** `POST two-factor/recovery` with the wish for new codes. */
export async function answerCodes(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  const kind = asked.scene.options.kinds.get('recovery')
  if (asked.kind !== 'session' || kind?.type !== 'recovery')
    throw new InvalidRequest('There are no recovery codes.', 404)
  // Made before, they would be somebody's way past a factor that is added later.
  if (!isEnrolled(asked.scene.rows)) {
    throw new InvalidRequest('Recovery codes come with a second factor: add one first.', 409)
  }
  // Those that there were do not work any more.
  const codes = await renewCodes(asked.scene, kind)
  await told(asked.scene, 'factorAdded', 'recovery')
  return showCodes(context, codes, setupUrl(context, asked))
}

/** `POST two-factor` with the wish to remove one. */
export async function answerRemoval(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  const { id } = context.request.body
  if (typeof id !== 'string' || !(await removeFactor(asked.scene, id))) throw noSuchFactor()
  return { kind: 'redirect', to: setupUrl(context, asked) }
}
