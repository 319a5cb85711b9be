/** What a request to `two-factor` comes to. */
import type { AuthContext } from '../contracts/index.js'
import { type AuthResponse, asksForJson } from '../http/message.js'
import type { Proof } from '../principal/index.js'
import type { Asked } from './asked.js'

/** The answer; or a proof with which the pending sign-in, or the session, continues. */
export type FactorResult = AuthResponse | ProvedFactor

/** A second factor was proved. */
export interface ProvedFactor {
  readonly kind: 'proved'
  readonly asked: Asked
  readonly proof: Proof
  /** Where the person goes, or what they see; made once they are signed in, since its forms need the new CSRF token. */
  readonly next: () => AuthResponse
  /** Removes the factors that were added. Called where the session is refused that was to follow. */
  readonly undo?: () => Promise<void>
}

/** Whether data is wanted and no page: by a script, or by the application's own code. */
export function wantsData({ request, ownCall }: Pick<AuthContext, 'request' | 'ownCall'>): boolean {
  return ownCall === true || asksForJson(request.headers)
}
