/**
 * The steps that add a second factor or create recovery codes, for pages and for calls of the application's own code.
 */
import type { AuthContext, FactorKind, FactorKindOf } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { Attempts } from '../../flows/attempt.js'
import { type QrCode, qrSvg, translate } from '../../pages/index.js'
import type { Proof } from '../../principal/index.js'
import { mailFactorCode } from './email-factor.js'
import { differsFromFirstFactor, isEnrolled, reloadFactorRecords } from './factor-context.js'
import { accountName, createFirstCodes, reportFactorChange } from './manage.js'
import { endPendingSignIn } from './pending-sign-in.js'
import { replaceRecoveryCodes } from './recovery-factor.js'
import { runUnlessSessionsEnd } from './session-end-check.js'
import { assertMayManageFactors, type FactorTarget } from './target.js'
import { createTotpSecret, describeTotp, type TotpSecret } from './totp-factor.js'
import type { TotpSetup } from './types.js'

/** An authenticator app that is being added. It is valid for this user, in this session or sign-in, in this browser. */
type SetupFacts = TotpSecret & { readonly userId: string; readonly of: string }

const setups = new Attempts<SetupFacts>('factor-setup')

/**
 * Changes second factors. @throws {@link ReauthenticationRequired} if the user may not, or their sessions end in the
 * meantime.
 */
export function changeFactors<T>(target: FactorTarget, change: () => Promise<T>): Promise<T> {
  return runUnlessSessionsEnd(target, async () => {
    assertMayManageFactors(target)
    return change()
  })
}

/**
 * Returns the kind of this name. It must differ from the first factor, because adding it also verifies it. @throws
 * {@link InvalidRequest}
 */
export function kindToAdd({ factorContext }: FactorTarget, name: string | undefined): FactorKind {
  const kind = [...factorContext.options.kinds.values()].find(({ type }) => type === name)
  if (!kind) {
    const types = [...factorContext.options.kinds.keys()].join(', ')
    throw new InvalidRequest(`No second factor of this type can be added. \`factors\` has ${types}.`, 404)
  }
  if (differsFromFirstFactor(factorContext, kind.type)) return kind
  throw new InvalidRequest(
    `A second factor of the type "${kind.type}" cannot be added after a sign-in with the same method. Sign in with another method.`,
    409,
  )
}

/** Creates the error for a factor that does not exist. */
export function noSuchFactor(): InvalidRequest {
  return new InvalidRequest('There is no such second factor.', 404)
}

/** An authenticator app to be added: its key as text, link and QR code, and sealed. */
export interface PreparedTotp {
  readonly setup: string
  readonly totp: { readonly secret: string; readonly uri: string; readonly qr: QrCode | undefined }
}

/** Creates and seals a secret, or shows a given one again. */
export async function prepareTotp(
  context: AuthContext,
  target: FactorTarget,
  kind: FactorKindOf<'totp'>,
  secret = createTotpSecret(),
): Promise<PreparedTotp> {
  const { userId, purposeKey: of } = target.factorContext.subject
  const setup = await setups.seal(context, { id: secret.id, key: secret.key, userId, of }, [])
  const totp = describeTotp(target.factorContext, kind, { key: secret.key, account: accountName(target) })
  return { setup, totp: { ...totp, qr: await drawQr(totp.uri) } }
}

/** Returns a prepared app as data, with its QR code as SVG. */
export function toTotpSetup(
  { config, request }: AuthContext,
  { setup, totp: { qr, ...shown } }: PreparedTotp,
): TotpSetup {
  return {
    ...shown,
    setup,
    ...(qr && { qr: qrSvg(qr, translate(config.languages.forRequest(request), 'factors.qr')) }),
  }
}

/**
 * Returns the QR code as rows of modules; `undefined` if the optional `uqr` is not installed. The secret is always
 * shown as text.
 */
async function drawQr(uri: string): Promise<QrCode | undefined> {
  // Inside `try`, bundlers accept that the package may be missing.
  try {
    const { encode } = await import('uqr')
    return encode(uri, { ecc: 'M', border: 0 }).data
  } catch {
    return undefined
  }
}

/** Opens a sealed secret. @throws {@link InvalidRequest} if it is too old, or of another browser or user. */
export async function openTotpSetup(
  context: AuthContext,
  { factorContext: { subject } }: FactorTarget,
  setup: unknown,
): Promise<TotpSecret> {
  const opened = typeof setup === 'string' ? await setups.open(context, setup, []) : undefined
  const { attempt } = opened ?? {}
  if (attempt && opened?.isHere && attempt.userId === subject.userId && attempt.of === subject.purposeKey) {
    return { id: attempt.id, key: attempt.key }
  }
  throw new InvalidRequest(
    'The page is too old, or was opened in another browser. Begin again with the authenticator app.',
  )
}

/** Emails the first code. @throws {@link InvalidRequest} if the user has no verified email address. */
export async function mailFirstCode({ factorContext }: FactorTarget, kind: FactorKindOf<'email'>): Promise<void> {
  if (await mailFactorCode(factorContext, kind, 'setup')) return
  throw new InvalidRequest('The user has no verified email address, so no code can be sent.', 409)
}

/** A factor that was added and thereby verified. */
export interface AddedFactor {
  readonly target: FactorTarget
  readonly proof: Proof
  /** The recovery codes that come with the first factor. */
  readonly codes: readonly string[] | undefined
}

/** Completes an addition: creates the first recovery codes, and ends the pending sign-in that waited for the factor. */
export async function completeFactorAddition(target: FactorTarget, proof: Proof): Promise<AddedFactor> {
  const isFirst = !isEnrolled(target.factorContext.records)
  const codes = await createFirstCodes(await reloadFactorRecords(target.factorContext), isFirst)
  if (target.kind === 'held' && !(await endPendingSignIn(target.factorContext, target.pending))) {
    throw new InvalidRequest('The sign-in was completed elsewhere.', 409)
  }
  return { target, proof, codes }
}

/** Creates new recovery codes. The earlier codes stop working. @throws {@link InvalidRequest} */
export async function renewRecoveryCodes({ factorContext, kind: of }: FactorTarget): Promise<readonly string[]> {
  const kind = factorContext.options.kinds.get('recovery')
  if (of !== 'session' || kind?.type !== 'recovery') throw new InvalidRequest('There are no recovery codes.', 404)
  // Codes that exist without a factor would bypass a factor that is added later.
  if (!isEnrolled(factorContext.records)) {
    throw new InvalidRequest('Recovery codes need a second factor. Add one first.', 409)
  }
  const codes = await replaceRecoveryCodes(factorContext, kind)
  await reportFactorChange(factorContext, 'factorAdded', 'recovery')
  return codes
}
