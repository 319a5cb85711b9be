/** What a request to `two-factor` comes to. */
import type { AuthContext, TokenHolder } from '../contracts/index.js'
import { type AuthResponse, asksForJson, type SafeRedirect } from '../http/message.js'
import type { Proof } from '../principal/index.js'
import type { HeldSignIn } from './held.js'

/**
 * - `response`: a page, or a redirect.
 * - `signed-in`: the sign-in that waited goes on, with this proof.
 * - `stepped-up`: more was proved in the session `of` somebody.
 */
export type FactorResult = Undoable &
  (
    | { readonly kind: 'response'; readonly response: AuthResponse }
    | { readonly kind: 'signed-in'; readonly held: HeldSignIn; readonly proof: Proof; readonly next: Next }
    | { readonly kind: 'stepped-up'; readonly of: TokenHolder; readonly proof: Proof; readonly next: Next }
  )

interface Undoable {
  /** Removes the factors that were added. Called where the session is refused that was to follow. */
  readonly undo?: () => Promise<void>
}

/** Where the person goes, or what they see; made once they are signed in, since its forms need the new CSRF token. */
export type Next = () => AuthResponse | Promise<AuthResponse>

/** Whether data is wanted and no page: by a script, or by the application's own code. */
export function wantsData({ request, ownCall }: Pick<AuthContext, 'request' | 'ownCall'>): boolean {
  return ownCall === true || asksForJson(request.headers)
}

/** A redirect. */
export function goTo(to: SafeRedirect): { kind: 'redirect'; to: SafeRedirect } {
  return { kind: 'redirect', to }
}
