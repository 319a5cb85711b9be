/** The checks and additions of each kind of second factor. Each answer is counted before it is checked. */
import type { FactorKind } from '../../contracts/index.js'
import { factorProof, type Proof, passwordTime } from '../../principal/index.js'
import { consumeAttempt } from '../limits/attempts.js'
import type { Rule } from '../limits/types.js'
import { addEmailFactor, checkMailedCode, verifiedAddressOf } from './email-factor.js'
import { type FactorContext, factorRecordsOf, reloadFactorRecords } from './factor-context.js'
import { addPasskeyFactor, checkPasskeyFactor, hasPasskey } from './passkey-factor.js'
import { checkRecoveryCode } from './recovery-factor.js'
import { mailedPasswordType } from './store.js'
import { addTotpFactor, checkTotpCode, type TotpSecret } from './totp-factor.js'
import type { FactorType } from './types.js'

/** The methods that an answer proves (RFC 8176); `undefined` for a wrong answer. */
type ProvedMethods = Promise<readonly string[] | undefined>

/** The first answer of a factor that is being added. */
export interface FirstAnswer {
  readonly code?: unknown
  /** The name that the user gives it. */
  readonly name?: unknown
  /** The secret of an authenticator app. */
  readonly secret?: TotpSecret | undefined
}

interface FactorMethod<K extends FactorKind> {
  /** Checks the answer of the request. */
  check(scene: FactorContext, kind: K): ProvedMethods
  /** Checks whether the user can add one, or one more. */
  canAdd(scene: FactorContext): boolean | Promise<boolean>
  /** Adds a factor if the answer is right. */
  add(scene: FactorContext, kind: K, typed: FirstAnswer): ProvedMethods
}

const otp = (isRight: boolean) => (isRight ? ['otp'] : undefined)
const codeIn = ({ context }: FactorContext) => context.request.body.code

/** The methods of each kind. Pass the matching kind. */
export const factorMethods: Readonly<Record<FactorType, FactorMethod<FactorKind>>> = {
  totp: {
    check: async (factorContext) => otp(await checkTotpCode(factorContext, codeIn(factorContext))),
    canAdd: () => true,
    add: async (factorContext, _kind, { secret, ...typed }) =>
      otp(secret !== undefined && (await addTotpFactor(factorContext, secret, typed))),
  },
  email: {
    check: async (factorContext) => otp(await checkMailedCode(factorContext, codeIn(factorContext), 'challenge')),
    canAdd: async (factorContext) =>
      factorRecordsOf(factorContext, 'email').length === 0 && (await verifiedAddressOf(factorContext)) !== undefined,
    add: async (factorContext, _kind, { code }) =>
      otp(
        (await checkMailedCode(factorContext, code, 'setup')) &&
          (await addEmailFactor(await reloadFactorRecords(factorContext))),
      ),
  },
  passkey: {
    check: checkPasskeyFactor,
    canAdd: async (factorContext) =>
      factorRecordsOf(factorContext, 'passkey').length === 0 && hasPasskey(factorContext),
    async add(factorContext, kind) {
      const amr = await this.check(factorContext, kind)
      return amr && (await addPasskeyFactor(factorContext)) ? amr : undefined
    },
  } satisfies FactorMethod<Extract<FactorKind, { type: 'passkey' }>>,
  recovery: {
    check: async (factorContext) => otp(await checkRecoveryCode(factorContext, codeIn(factorContext))),
    canAdd: () => false,
    add: async () => undefined,
  },
}

/**
 * Returns the proof of a right answer; `undefined` for a wrong one. Wrong answers are counted by user and kind, across
 * browsers.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function verifyFactor(factorContext: FactorContext, kind: FactorKind): Promise<Proof | undefined> {
  const { type } = kind
  const amr = await countAndCheckAnswer(factorContext, type, () => factorMethods[type].check(factorContext, kind))
  if (!amr) return undefined
  if (type !== 'email') await forgetMailedPassword(factorContext)
  return factorProof(type, amr)
}

/** Counts an answer, and checks it. A right answer is not counted. @throws TooManyRequests, AdapterError. */
export async function countAndCheckAnswer(
  factorContext: FactorContext,
  scope: string,
  check: () => ProvedMethods,
): ProvedMethods {
  const { context, subject } = factorContext
  const { rateLimit } = context.config
  const rule = rateLimit ? rateLimit.rules.factor : defaultFactorRule
  const taken = rule && (await consumeAttempt(context, { rule: 'factor', scope, accounts: [subject.userId] }, rule))
  const amr = await check()
  if (amr) taken?.refund()
  return amr
}

/**
 * Forgets that the password was set by email, where that password and a factor other than the mailbox are proved together: a user who knows the
 * password has more than the mailbox. A sign-in without the password says nothing about it.
 */
async function forgetMailedPassword({ records, store, subject }: FactorContext): Promise<void> {
  const mark = records.find(({ type }) => type === mailedPasswordType)
  const typedAt = passwordTime(subject.proofs)
  if (!mark || typedAt === undefined || typedAt * 1000 < mark.createdAt.getTime() - 1000) return
  await store.remove({ userId: subject.userId, id: mark.id })
}

/** Counts answers even if `rateLimit` is off, because six digits are guessed quickly. */
const defaultFactorRule: Rule = { perAccount: 5, window: 60 * 60, delay: 'exponential' }
