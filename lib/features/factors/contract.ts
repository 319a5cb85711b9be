/** Second factors, as the rooms of the engine speak of them. */

import type { ResolvedEmailProvider, ResolvedWebAuthnProvider } from '../../contracts/providers.js'
import type { RecordStore } from '../../types/store.js'
import type { FactorConfig, FactorsOptions, FactorType } from './types.js'

/** The option `factors`, complete. */
export interface ResolvedFactors {
  /** As the developer gave it: `features/factors/store` guards it. */
  readonly store: RecordStore
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
  /** Those that people can have, in the order in which they are offered. */
  readonly kinds: ReadonlyMap<FactorType, FactorKind>
  readonly require?: FactorsOptions['require']
  readonly whenEnrolled: 'always' | 'ask'
  /** Seconds. Absent: no browser is remembered. */
  readonly remember?: number
  readonly passkeyIsEnough: boolean
  /** Tells people of changes; absent where nobody sends mails. */
  readonly mailer?: ResolvedEmailProvider
}

/** A kind of second factor, complete. */
export type FactorKind =
  | { readonly type: 'totp'; readonly issuer?: string }
  | { readonly type: 'passkey'; readonly provider: ResolvedWebAuthnProvider }
  | { readonly type: 'recovery'; readonly count: number }
  | { readonly type: 'email'; readonly provider: ResolvedEmailProvider; readonly maxAge: number }

/** The kind of a type. */
export type FactorKindOf<T extends FactorConfig['type']> = Extract<FactorKind, { type: T }>
