/** The pages of a user's second factors: the list, adding a factor, and recovery codes. */
import type { AuthContext, FactorKind } from '../../contracts/index.js'
import { InvalidCode, InvalidRequest } from '../../errors.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import type { QueryParams } from '../../http/urls.js'
import { pageResponse, renderAddFactor, renderFactorList, renderRecoveryCodes } from '../../pages/index.js'
import { meetsRequirement, type Proof, readRequirement, requiresTwoFactors } from '../../principal/index.js'
import { csrfTokenForForm } from '../../session/csrf.js'
import { differsFromFirstFactor, type FactorContext, isEnrolled } from './factor-context.js'
import { addFactor, enrolledFactors, removeFactor } from './manage.js'
import { passkeyFactorOptions } from './passkey-factor.js'
import { removeAddedFactors } from './session-end-check.js'
import {
  completeFactorAddition,
  kindToAdd,
  mailFirstCode,
  noSuchFactor,
  openTotpSetup,
  prepareTotp,
  renewRecoveryCodes,
  toTotpSetup,
} from './setup.js'
import { assertMayManageFactors, type FactorResult, type FactorTarget, wantsJson } from './target.js'
import type { TotpSecret } from './totp-factor.js'
import type { FactorType } from './types.js'
import { factorMethods } from './verify.js'

/** Answers `GET two-factor?setup` and `GET two-factor/<type>?setup`. */
export async function renderSetup(context: AuthContext, target: FactorTarget): Promise<AuthResponse> {
  assertMayManageFactors(target)
  const { request, config, urls } = context
  const kind = request.providerId === undefined ? undefined : kindToAdd(target, request.providerId)
  const own = config.pages.twoFactorSetup
  if (own !== undefined && !wantsJson(context)) {
    return { kind: 'redirect', to: urls.customUrl(own, { callbackUrl: target.to, factor: kind?.type }) }
  }
  return kind && kind.type !== 'recovery'
    ? renderFactorAddition(context, target, { kind })
    : renderSetupList(context, target)
}

async function renderSetupList(context: AuthContext, target: FactorTarget): Promise<AuthResponse> {
  const { request, urls } = context
  const { factorContext, to } = target
  const factors = await enrolledFactors(factorContext)
  const addable = await addableTypes(factorContext)
  const recommended = isEnrolled(factorContext.records) ? undefined : recommendedType(addable)
  if (wantsJson(context)) {
    return { kind: 'json', status: 200, data: { asksFor: 'setup', factors, addable, recommended, callbackUrl: to } }
  }
  const canHaveCodes = factorContext.options.kinds.has('recovery') && isEnrolled(factorContext.records)
  const codes = canHaveCodes ? urls.endpoint('two-factor', 'recovery') : undefined
  return pageResponse(context, 200, (frame) =>
    renderFactorList({
      frame,
      csrfToken: csrfTokenForForm(context),
      callbackUrl: to,
      action: urls.endpoint('two-factor'),
      factors,
      addable: addable.map((type) => ({ type, url: setupUrl(context, target, type) })),
      recommended,
      codesUrl: codes,
      mustEnrol: target.kind === 'held',
      cancelUrl: cancelUrl(context, target),
      error: request.url.searchParams.get('error') ?? undefined,
    }),
  )
}

/**
 * Returns the target of "Cancel". It is not the page whose guard sent the user here, if that guard would send them here
 * again.
 */
function cancelUrl({ request, urls }: AuthContext, target: FactorTarget): string | undefined {
  if (target.kind === 'held') return urls.page('signIn', { callbackUrl: target.to })
  const isWanted = requiresTwoFactors(readRequirement(request.url.searchParams))
  return isWanted && !meetsRequirement(target.principal.proofs, { aal: 2 }) ? urls.home : undefined
}

function setupUrl({ urls }: AuthContext, { to }: FactorTarget, type?: FactorType, params: QueryParams = {}) {
  return urls.endpoint('two-factor', type, { setup: '1', callbackUrl: to, ...params })
}

/** Returns the types that the user can add. */
async function addableTypes(factorContext: FactorContext): Promise<FactorType[]> {
  const types: FactorType[] = []
  for (const type of factorContext.options.kinds.keys()) {
    if (differsFromFirstFactor(factorContext, type) && (await factorMethods[type].canAdd(factorContext)))
      types.push(type)
  }
  return types
}

/**
 * Returns the type to recommend, if there is a choice: a passkey, which no other site can use, otherwise an app, which
 * does not depend on the mailbox.
 */
function recommendedType(addable: readonly FactorType[]): FactorType | undefined {
  return addable.length > 1 ? (['passkey', 'totp'] as const).find((type) => addable.includes(type)) : undefined
}

type FactorAddition = {
  readonly kind: Exclude<FactorKind, { type: 'recovery' }>
  readonly secret?: TotpSecret
  readonly error?: string
}

/**
 * Renders the page that adds a factor. An authenticator app gets a new secret, unless the code for the shown secret was
 * wrong.
 */
async function renderFactorAddition(
  context: AuthContext,
  target: FactorTarget,
  { kind, secret, error }: FactorAddition,
): Promise<AuthResponse> {
  const { request, urls } = context
  if (kind.type === 'passkey' && (wantsJson(context) || request.body.intent === 'setup-begin')) {
    return { kind: 'json', status: 200, data: await passkeyFactorOptions(target.factorContext, kind) }
  }
  const prepared = kind.type === 'totp' ? await prepareTotp(context, target, kind, secret) : undefined
  if (wantsJson(context)) {
    const shown = prepared && toTotpSetup(context, prepared)
    return { kind: 'json', status: 200, data: { asksFor: 'code', factor: kind.type, ...shown } }
  }
  return pageResponse(context, error === undefined ? 200 : 401, (frame) =>
    renderAddFactor({
      frame,
      type: kind.type,
      action: urls.endpoint('two-factor', kind.type),
      csrfToken: csrfTokenForForm(context),
      callbackUrl: target.to,
      isSent: request.method === 'POST' || request.url.searchParams.has('sent'),
      cancelUrl: setupUrl(context, target),
      error: error ?? request.url.searchParams.get('error') ?? undefined,
      ...prepared,
    }),
  )
}

/** Answers `POST two-factor/<type>` from the page that adds a factor. */
export async function answerSetup(context: AuthContext, target: FactorTarget): Promise<FactorResult> {
  const { request } = context
  const { intent } = request.body
  const kind = kindToAdd(target, request.providerId)
  if (kind.type === 'recovery') throw noSuchFactor()
  const again = (params: QueryParams) => setupUrl(context, target, kind.type, params)
  if (intent !== 'setup') {
    if (kind.type === 'email') await mailFirstCode(target, kind)
    if (kind.type !== 'email' && intent === 'setup-send')
      throw new InvalidRequest('Only a factor of the type "email" sends codes.')
    if (intent === 'setup-send') return { kind: 'redirect', to: again({ sent: '1' }) }
    return renderFactorAddition(context, target, { kind })
  }
  const { code, name, setup } = request.body
  const secret = kind.type === 'totp' ? await openTotpSetup(context, target, setup) : undefined
  const proof = await addFactor(target.factorContext, kind, { code, name, secret })
  if (proof) return continueAfterAddition(context, target, proof)
  if (wantsJson(context)) throw new InvalidCode('A wrong code was given for a second factor that is being added.')
  const error = 'InvalidCode'
  if (secret) return renderFactorAddition(context, target, { kind, secret, error })
  return { kind: 'redirect', to: again({ sent: kind.type === 'email' ? '1' : undefined, error }) }
}

/** Raises the session's level, or continues the pending sign-in, after a factor was added and thereby verified. */
async function continueAfterAddition(context: AuthContext, target: FactorTarget, proof: Proof): Promise<FactorResult> {
  const { codes } = await completeFactorAddition(target, proof)
  // The user continues to the page they were on the way to, otherwise to the list.
  const to = target.to === context.urls.home ? setupUrl(context, target) : target.to
  const next = (): AuthResponse => (codes ? renderNewCodes(context, codes, to) : { kind: 'redirect', to })
  return { kind: 'proved', target, proof, next, undo: () => removeAddedFactors(target.factorContext) }
}

function renderNewCodes(context: AuthContext, codes: readonly string[], to: SafeRedirect): AuthResponse {
  if (wantsJson(context)) return { kind: 'json', status: 200, data: { recoveryCodes: codes, url: to } }
  const csrfToken = csrfTokenForForm(context)
  const action = context.urls.endpoint('two-factor')
  return pageResponse(context, 200, (frame) => renderRecoveryCodes({ frame, codes, action, csrfToken, nextUrl: to }))
}

/** Answers `POST two-factor/recovery`, which requests new codes. */
export async function answerCodes(context: AuthContext, target: FactorTarget): Promise<AuthResponse> {
  return renderNewCodes(context, await renewRecoveryCodes(target), setupUrl(context, target))
}

/** Answers `POST two-factor` with the intent to remove a factor. */
export async function answerRemoval(context: AuthContext, target: FactorTarget): Promise<AuthResponse> {
  const { id } = context.request.body
  if (typeof id !== 'string' || !(await removeFactor(target.factorContext, id))) throw noSuchFactor()
  return { kind: 'redirect', to: setupUrl(context, target) }
}
