/** The checks and additions of each kind of second factor. Each answer is counted before it is checked. */
import type { FactorKind } from '../../contracts/index.js'
import { factorProof, type Proof, passwordTime } from '../../principal/index.js'
import { take } from '../limits/attempts.js'
import type { Rule } from '../limits/types.js'
import { addEmail, addressOf, checkMailedCode } from './email-factor.js'
import { addPasskey, checkPasskey, hasPasskey } from './passkey-factor.js'
import { checkRecoveryCode } from './recovery-factor.js'
import { mailedPasswordType } from './store.js'
import { lookAgain, rowsOf, type Scene } from './subject.js'
import { addTotp, checkTotp, type TotpSecret } from './totp-factor.js'
import type { FactorType } from './types.js'

/** The methods that an answer proves (RFC 8176); `undefined` for a wrong answer. */
type Answered = Promise<readonly string[] | undefined>

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
  check(scene: Scene, kind: K): Answered
  /** Checks whether the user can add one, or one more. */
  canAdd(scene: Scene): boolean | Promise<boolean>
  /** Adds a factor if the answer is right. */
  add(scene: Scene, kind: K, typed: FirstAnswer): Answered
}

const otp = (isRight: boolean) => (isRight ? ['otp'] : undefined)
const codeIn = ({ context }: Scene) => context.request.body.code

/** The methods of each kind. Pass the matching kind. */
export const methods: Readonly<Record<FactorType, FactorMethod<FactorKind>>> = {
  totp: {
    check: async (scene) => otp(await checkTotp(scene, codeIn(scene))),
    canAdd: () => true,
    add: async (scene, _kind, { secret, ...typed }) =>
      otp(secret !== undefined && (await addTotp(scene, secret, typed))),
  },
  email: {
    check: async (scene) => otp(await checkMailedCode(scene, codeIn(scene), 'challenge')),
    canAdd: async (scene) => rowsOf(scene, 'email').length === 0 && (await addressOf(scene)) !== undefined,
    add: async (scene, _kind, { code }) =>
      otp((await checkMailedCode(scene, code, 'setup')) && (await addEmail(await lookAgain(scene)))),
  },
  passkey: {
    check: checkPasskey,
    canAdd: async (scene) => rowsOf(scene, 'passkey').length === 0 && hasPasskey(scene),
    async add(scene, kind) {
      const amr = await this.check(scene, kind)
      return amr && (await addPasskey(scene)) ? amr : undefined
    },
  } satisfies FactorMethod<Extract<FactorKind, { type: 'passkey' }>>,
  recovery: {
    check: async (scene) => otp(await checkRecoveryCode(scene, codeIn(scene))),
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
export async function verify(scene: Scene, kind: FactorKind): Promise<Proof | undefined> {
  const { type } = kind
  const amr = await countedAnswer(scene, type, () => methods[type].check(scene, kind))
  if (!amr) return undefined
  if (type !== 'email') await forgetMailedPassword(scene)
  return factorProof(type, amr)
}

/** Counts an answer, and checks it. A right answer is not counted. @throws TooManyRequests, AdapterError. */
export async function countedAnswer(scene: Scene, scope: string, check: () => Answered): Answered {
  const { context, subject } = scene
  const { rateLimit } = context.config
  const rule = rateLimit ? rateLimit.rules.factor : ownRule
  const taken = rule && (await take(context, { rule: 'factor', scope, accounts: [subject.userId] }, rule))
  const amr = await check()
  if (amr) taken?.refund()
  return amr
}

/**
 * Forgets that the password was set by email, where that password and a factor other than the mailbox are proved together: whoever knows the
 * password has more than the mailbox. A sign-in without the password says nothing about it.
 */
async function forgetMailedPassword({ rows, store, subject }: Scene): Promise<void> {
  const mark = rows.find(({ type }) => type === mailedPasswordType)
  const typedAt = passwordTime(subject.proofs)
  if (!mark || typedAt === undefined || typedAt * 1000 < mark.createdAt.getTime() - 1000) return
  await store.remove({ userId: subject.userId, id: mark.id })
}

/** Where `rateLimit` is off, too: six digits are soon tried. */
const ownRule: Rule = { perAccount: 5, window: 60 * 60, delay: 'exponential' }
