/** Whether an answer is right, whatever factor it is of. Each is counted before it is looked at. */
import type { FactorKind } from '../contracts/index.js'
import { take } from '../limits/index.js'
import { mailedPasswordType } from '../store/factors.js'
import type { Rule } from '../types/limits.js'
import { checkMailedCode } from './email-factor.js'
import { checkPasskey } from './passkey-factor.js'
import { checkRecoveryCode } from './recovery-factor.js'
import type { Scene } from './subject.js'
import { checkTotp } from './totp-factor.js'

/**
 * By which methods the person has answered (RFC 8176); `undefined` for a wrong answer. It is counted for the user and the kind, whatever
 * browser it comes from; a right one counts for nothing.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function verify(scene: Scene, kind: FactorKind): Promise<readonly string[] | undefined> {
  const taken = await countAnswer(scene, kind.type)
  const amr = await check(scene, kind)
  if (!amr) return undefined
  taken?.refund()
  // More than the mailbox: whoever set the password by it has this, too.
  if (kind.type !== 'email' && scene.rows.some(({ type }) => type === mailedPasswordType)) {
    await scene.store.remove(scene.subject.userId, mailedPasswordType)
  }
  return amr
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

/** All methods of a session in which two factors were proved. */
export function withFactor(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second, 'mfa'])]
}
