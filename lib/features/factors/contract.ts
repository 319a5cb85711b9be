/** The interfaces of second factors that other parts of the engine use. */

import type { ResolvedEmailProvider, ResolvedWebAuthnProvider } from '../../contracts/providers.js'
import type { RecordStore } from '../../types/store.js'
import type { FactorConfig, FactorsOptions, FactorType } from './types.js'

/** The option `factors`, resolved. */
export interface ResolvedFactors {
  /** The store from the configuration, unguarded. `features/factors/store` guards it. */
  readonly store: RecordStore
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
  /** The kinds that users can add, in the order in which they are offered. */
  readonly kinds: ReadonlyMap<FactorType, FactorKind>
  readonly require?: FactorsOptions['require']
  readonly whenEnrolled: 'always' | 'ask'
  /** Seconds. Absent if browsers are not remembered. */
  readonly remember?: number
  readonly passkeyIsEnough: boolean
  /** Sends emails about changes. Absent if no provider sends emails. */
  readonly mailer?: ResolvedEmailProvider
}

/** A kind of second factor, with its resolved options. */
export type FactorKind =
  | { readonly type: 'totp'; readonly issuer?: string }
  | { readonly type: 'passkey'; readonly provider: ResolvedWebAuthnProvider }
  | { readonly type: 'recovery'; readonly count: number }
  | { readonly type: 'email'; readonly provider: ResolvedEmailProvider; readonly maxAge: number }

/** The kind of a given type. */
export type FactorKindOf<T extends FactorConfig['type']> = Extract<FactorKind, { type: T }>
