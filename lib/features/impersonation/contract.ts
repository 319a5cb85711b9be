/** The interface of impersonation that other parts of the engine use. */
import type { ImpersonationOptions } from './types.js'

/** The option `impersonation`, resolved. */
export type ResolvedImpersonation = Readonly<Required<ImpersonationOptions>>
