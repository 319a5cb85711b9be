/** The pages of a user's second factors: the list, adding a factor, and recovery codes. */
import type { AuthContext, FactorKind } from '../../contracts/index.js'
import { InvalidCode, InvalidRequest } from '../../errors.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import type { QueryParams } from '../../http/urls.js'
import { pageResponse, renderAddFactor, renderFactorList, renderRecoveryCodes } from '../../pages/index.js'
import { meets, type Proof, requirementIn, wantsTwo } from '../../principal/index.js'
import { csrfTokenFor } from '../../session/csrf.js'
import { type Asked, assertMayManage, type FactorResult, wantsData } from './asked.js'
import { addFactor, enrolledFactors, removeFactor } from './manage.js'
import { passkeyOptionsOf } from './passkey-factor.js'
import {
  completeAdding,
  kindToAdd,
  mailFirstCode,
  makeCodes,
  noSuchFactor,
  openSetup,
  prepareTotp,
  toData,
} from './setup.js'
import { isAnother, isEnrolled, type Scene } from './subject.js'
import type { TotpSecret } from './totp-factor.js'
import type { FactorType } from './types.js'
import { takeBack } from './undisturbed.js'
import { methods } from './verify.js'

/** Answers `GET two-factor?setup` and `GET two-factor/<type>?setup`. */
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

/**
 * Returns the target of "Cancel". It is not the page whose guard sent the user here, if that guard would send them here
 * again.
 */
function cancelUrl({ request, urls }: AuthContext, asked: Asked): string | undefined {
  if (asked.kind === 'held') return urls.page('signIn', { callbackUrl: asked.to })
  const isWanted = wantsTwo(requirementIn(request.url.searchParams))
  return isWanted && !meets(asked.principal.proofs, { aal: 2 }) ? urls.home : undefined
}

function setupUrl({ urls }: AuthContext, { to }: Asked, type?: FactorType, params: QueryParams = {}) {
  return urls.endpoint('two-factor', type, { setup: '1', callbackUrl: to, ...params })
}

/** Returns the types that the user can add. */
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

/**
 * Renders the page that adds a factor. An authenticator app gets a new secret, unless the code for the shown secret was
 * wrong.
 */
async function showAdding(context: AuthContext, asked: Asked, { kind, secret, error }: Adding): Promise<AuthResponse> {
  const { request, urls } = context
  if (kind.type === 'passkey' && (wantsData(context) || request.body.intent === 'setup-begin')) {
    return { kind: 'json', status: 200, data: await passkeyOptionsOf(asked.scene, kind) }
  }
  const prepared = kind.type === 'totp' ? await prepareTotp(context, asked, kind, secret) : undefined
  if (wantsData(context)) {
    const shown = prepared && toData(context, prepared)
    return { kind: 'json', status: 200, data: { asksFor: 'code', factor: kind.type, ...shown } }
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

/** Answers `POST two-factor/<type>` from the page that adds a factor. */
export async function answerSetup(context: AuthContext, asked: Asked): Promise<FactorResult> {
  const { request } = context
  const { intent } = request.body
  const kind = kindToAdd(asked, request.providerId)
  if (kind.type === 'recovery') throw noSuchFactor()
  const again = (params: QueryParams) => setupUrl(context, asked, kind.type, params)
  if (intent !== 'setup') {
    if (kind.type === 'email') await mailFirstCode(asked, kind)
    if (kind.type !== 'email' && intent === 'setup-send')
      throw new InvalidRequest('Only a factor of the type "email" sends codes.')
    if (intent === 'setup-send') return { kind: 'redirect', to: again({ sent: '1' }) }
    return showAdding(context, asked, { kind })
  }
  const { code, name, setup } = request.body
  const secret = kind.type === 'totp' ? await openSetup(context, asked, setup) : undefined
  const proof = await addFactor(asked.scene, kind, { code, name, secret })
  if (proof) return added(context, asked, proof)
  if (wantsData(context)) throw new InvalidCode('A wrong code was given for a second factor that is being added.')
  const error = 'InvalidCode'
  if (secret) return showAdding(context, asked, { kind, secret, error })
  return { kind: 'redirect', to: again({ sent: kind.type === 'email' ? '1' : undefined, error }) }
}

/** Raises the session's level, or continues the pending sign-in, after a factor was added and thereby verified. */
async function added(context: AuthContext, asked: Asked, proof: Proof): Promise<FactorResult> {
  const { codes } = await completeAdding(asked, proof)
  // The user continues to the page they were on the way to, otherwise to the list.
  const to = asked.to === context.urls.home ? setupUrl(context, asked) : asked.to
  const next = (): AuthResponse => (codes ? showCodes(context, codes, to) : { kind: 'redirect', to })
  return { kind: 'proved', asked, proof, next, undo: () => takeBack(asked.scene) }
}

function showCodes(context: AuthContext, codes: readonly string[], to: SafeRedirect): AuthResponse {
  if (wantsData(context)) return { kind: 'json', status: 200, data: { recoveryCodes: codes, url: to } }
  return pageResponse(context, 200, (frame) => renderRecoveryCodes({ frame, codes, nextUrl: to }))
}

/** Answers `POST two-factor/recovery`, which requests new codes. */
export async function answerCodes(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  return showCodes(context, await makeCodes(asked), setupUrl(context, asked))
}

/** Answers `POST two-factor` with the intent to remove a factor. */
export async function answerRemoval(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  const { id } = context.request.body
  if (typeof id !== 'string' || !(await removeFactor(asked.scene, id))) throw noSuchFactor()
  return { kind: 'redirect', to: setupUrl(context, asked) }
}
