/** Whether an answer is right, whatever factor it is of. Each is counted before it is looked at. */
import type { FactorKind } from '../contracts/index.js'
import { take } from '../limits/index.js'
import { factorProof, type Proof, passwordTime } from '../principal/index.js'
import { mailedPasswordType } from '../store/factors.js'
import type { Rule } from '../types/limits.js'
import { type Answered, methods } from './methods.js'
import type { Scene } from './subject.js'

/**
 * Returns the proof of a right answer; `undefined` for a wrong one. It is counted for the user and the kind, whatever browser it comes
 * from; a right one counts for nothing.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function verify(scene: Scene, kind: FactorKind): Promise<Proof | undefined> {
  const check = () => methods[kind.type].check(scene, kind)
  const proof = await countedAnswer(scene, kind, { scope: kind.type, check })
  if (proof && kind.type !== 'email') await forgetMailedPassword(scene)
  return proof
}

/** Counts an answer, checks it, and returns what it proves. @throws TooManyRequests, AdapterError. */
export async function countedAnswer(
  scene: Scene,
  { type }: FactorKind,
  { scope, check }: { readonly scope: string; readonly check: () => Answered },
): Promise<Proof | undefined> {
  const taken = await countAnswer(scene, scope)
  const amr = await check()
  if (!amr) return undefined
  taken?.refund()
  return factorProof(type, amr)
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

async function countAnswer({ context, subject }: Scene, scope: string) {
  const { rateLimit } = context.config
  const rule = rateLimit ? rateLimit.rules.factor : ownRule
  return rule && take(context, { rule: 'factor', scope, accounts: [subject.userId] }, rule)
}
