/** Whether an answer is right, whatever factor it is of. Each is counted before it is looked at. */
import type { FactorKind } from '../contracts/index.js'
import { take } from '../limits/index.js'
import { factorProof, type Proof, passwordTime } from '../principal/index.js'
import { mailedPasswordType } from '../store/factors.js'
import type { Rule } from '../types/limits.js'
import { checkMailedCode } from './email-factor.js'
import { checkPasskey } from './passkey-factor.js'
import { checkRecoveryCode } from './recovery-factor.js'
import type { Scene } from './subject.js'
import { checkTotp } from './totp-factor.js'

/**
 * Returns the proof of a right answer; `undefined` for a wrong one. It is counted for the user and the kind, whatever browser it comes
 * from; a right one counts for nothing.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function verify(scene: Scene, kind: FactorKind): Promise<Proof | undefined> {
  const taken = await countAnswer(scene, kind.type)
  const amr = await check(scene, kind)
  if (!amr) return undefined
  taken?.refund()
  if (kind.type !== 'email') await forgetMailedPassword(scene)
  return factorProof(kind.type, amr)
}

/**
 * Forgets that the password was set by email, where that password and a factor other than the mailbox are proved together: whoever knows the
 * password has more than the mailbox. A sign-in without the password says nothing about it.
 */
async function forgetMailedPassword({ rows, store, subject }: Scene): Promise<void> {
  const mark = rows.find(({ type }) => type === mailedPasswordType)
  const typedAt = passwordTime(subject.proofs)
  if (!mark || typedAt === undefined || typedAt * 1000 < mark.createdAt.getTime() - 1000) return
  await store.remove(subject.userId, mark.id)
}

/** Where `rateLimit` is off, too: six digits are soon tried. */
const ownRule: Rule = { perAccount: 5, window: 60 * 60, delay: 'exponential' }

/** Counts an answer. @throws TooManyRequests, AdapterError. */
export async function countAnswer({ context, subject }: Pick<Scene, 'context' | 'subject'>, scope: string) {
  const { rateLimit } = context.config
  const rule = rateLimit ? rateLimit.rules.factor : ownRule
  return rule && take(context, { rule: 'factor', scope, accounts: [subject.userId] }, rule)
}

async function check(scene: Scene, kind: FactorKind): Promise<readonly string[] | undefined> {
  const { code } = scene.context.request.body
  switch (kind.type) {
    case 'totp':
      return (await checkTotp(scene, code)) ? ['otp'] : undefined
    case 'recovery':
      return (await checkRecoveryCode(scene, code)) ? ['otp'] : undefined
    case 'email':
      return (await checkMailedCode(scene, code, 'challenge')) ? ['otp'] : undefined
    case 'passkey':
      return checkPasskey(scene, kind)
  }
}
