/** The kinds of second factors: how an answer is checked, and how one is added. */
import type { FactorKind } from '../contracts/index.js'
import type { FactorType } from '../types/factors.js'
import { addEmail, addressOf, checkMailedCode } from './email-factor.js'
import { addPasskey, checkPasskey, hasPasskey } from './passkey-factor.js'
import { checkRecoveryCode } from './recovery-factor.js'
import { lookAgain, rowsOf, type Scene } from './subject.js'
import { addTotp, checkTotp, type TotpSecret } from './totp-factor.js'

/** What an answer proves (RFC 8176); `undefined` for a wrong answer. */
export type Answered = Promise<readonly string[] | undefined>

interface FactorMethod<K extends FactorKind> {
  /** Checks the answer of the request, once the factor is added. */
  check(scene: Scene, kind: K): Answered
  /** Whether the user could add one, or one more. */
  canAdd(scene: Scene): boolean | Promise<boolean>
  /** Adds a factor, where the answer of the request is right. @param secret Of an authenticator app. */
  add(scene: Scene, kind: K, secret: TotpSecret | undefined): Answered
}

const otp = (isRight: boolean) => (isRight ? ['otp'] : undefined)
const codeIn = ({ context }: Scene) => context.request.body.code

/** The methods of each kind. Call those of the kind that is handed over. */
export const methods: Readonly<Record<FactorType, FactorMethod<FactorKind>>> = {
  totp: {
    check: async (scene) => otp(await checkTotp(scene, codeIn(scene))),
    canAdd: () => true,
    add: async (scene, _kind, secret) => otp(secret !== undefined && (await addTotp(scene, secret))),
  },
  email: {
    check: async (scene) => otp(await checkMailedCode(scene, codeIn(scene), 'challenge')),
    canAdd: async (scene) => rowsOf(scene, 'email').length === 0 && (await addressOf(scene)) !== undefined,
    add: async (scene) =>
      otp((await checkMailedCode(scene, codeIn(scene), 'setup')) && (await addEmail(await lookAgain(scene)))),
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
