/**
 * The steps that add a second factor or create recovery codes, for pages and for calls of the application's own code.
 */
import type { AuthContext, FactorKind, FactorKindOf } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { Attempts } from '../../flows/attempt.js'
import { type QrCode, qrSvg, textOf } from '../../pages/index.js'
import type { Proof } from '../../principal/index.js'
import { type Asked, assertMayManage } from './asked.js'
import { mailCode } from './email-factor.js'
import { endHeld } from './held.js'
import { accountName, firstCodes, told } from './manage.js'
import { renewCodes } from './recovery-factor.js'
import { isAnother, isEnrolled, lookAgain } from './subject.js'
import { createTotp, showTotp, type TotpSecret } from './totp-factor.js'
import type { TotpSetup } from './types.js'
import { undisturbed } from './undisturbed.js'

/** An authenticator app that is being added. It is valid for this user, in this session or sign-in, in this browser. */
type SetupFacts = TotpSecret & { readonly userId: string; readonly of: string }

const setups = new Attempts<SetupFacts>('factor-setup')

/**
 * Changes second factors. @throws {@link ReauthenticationRequired} if the user may not, or their sessions end in the
 * meantime.
 */
export function changeFactors<T>(asked: Asked, change: () => Promise<T>): Promise<T> {
  return undisturbed(asked, async () => {
    assertMayManage(asked)
    return change()
  })
}

/**
 * Returns the kind of this name. It must differ from the first factor, because adding it also verifies it. @throws
 * {@link InvalidRequest}
 */
export function kindToAdd({ scene }: Asked, name: string | undefined): FactorKind {
  const kind = [...scene.options.kinds.values()].find(({ type }) => type === name)
  if (!kind) {
    const types = [...scene.options.kinds.keys()].join(', ')
    throw new InvalidRequest(`No second factor of this type can be added. \`factors\` has ${types}.`, 404)
  }
  if (isAnother(scene, kind.type)) return kind
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
  asked: Asked,
  kind: FactorKindOf<'totp'>,
  secret = createTotp(),
): Promise<PreparedTotp> {
  const { userId, key: of } = asked.scene.subject
  const setup = await setups.seal(context, { id: secret.id, key: secret.key, userId, of }, [])
  const totp = showTotp(asked.scene, kind, { key: secret.key, account: accountName(asked) })
  return { setup, totp: { ...totp, qr: await drawQr(totp.uri) } }
}

/** Returns a prepared app as data, with its QR code as SVG. */
export function toData({ config, request }: AuthContext, { setup, totp: { qr, ...shown } }: PreparedTotp): TotpSetup {
  return { ...shown, setup, ...(qr && { qr: qrSvg(qr, textOf(config.languages.of(request), 'factors.qr')) }) }
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
export async function openSetup(
  context: AuthContext,
  { scene: { subject } }: Asked,
  setup: unknown,
): Promise<TotpSecret> {
  const opened = typeof setup === 'string' ? await setups.open(context, setup, []) : undefined
  const { attempt } = opened ?? {}
  if (attempt && opened?.isHere && attempt.userId === subject.userId && attempt.of === subject.key) {
    return { id: attempt.id, key: attempt.key }
  }
  throw new InvalidRequest(
    'The page is too old, or was opened in another browser. Begin again with the authenticator app.',
  )
}

/** Emails the first code. @throws {@link InvalidRequest} if the user has no verified email address. */
export async function mailFirstCode({ scene }: Asked, kind: FactorKindOf<'email'>): Promise<void> {
  if (await mailCode(scene, kind, 'setup')) return
  throw new InvalidRequest('The user has no verified email address, so no code can be sent.', 409)
}

/** A factor that was added and thereby verified. */
export interface AddedFactor {
  readonly asked: Asked
  readonly proof: Proof
  /** The recovery codes that come with the first factor. */
  readonly codes: readonly string[] | undefined
}

/** Completes an addition: creates the first recovery codes, and ends the pending sign-in that waited for the factor. */
export async function completeAdding(asked: Asked, proof: Proof): Promise<AddedFactor> {
  const isFirst = !isEnrolled(asked.scene.rows)
  const codes = await firstCodes(await lookAgain(asked.scene), isFirst)
  if (asked.kind === 'held' && !(await endHeld(asked.scene, asked.pending))) {
    throw new InvalidRequest('The sign-in was completed elsewhere.', 409)
  }
  return { asked, proof, codes }
}

/** Creates new recovery codes. The earlier codes stop working. @throws {@link InvalidRequest} */
export async function makeCodes({ scene, kind: of }: Asked): Promise<readonly string[]> {
  const kind = scene.options.kinds.get('recovery')
  if (of !== 'session' || kind?.type !== 'recovery') throw new InvalidRequest('There are no recovery codes.', 404)
  // Codes that exist without a factor would bypass a factor that is added later.
  if (!isEnrolled(scene.rows)) {
    throw new InvalidRequest('Recovery codes need a second factor. Add one first.', 409)
  }
  const codes = await renewCodes(scene, kind)
  await told(scene, 'factorAdded', 'recovery')
  return codes
}
