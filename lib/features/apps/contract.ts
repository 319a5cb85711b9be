/** The interface of apps that other parts of the engine use. */
import type { RecordStore } from '../../types/store.js'

/** An app, checked and complete. */
export interface ResolvedApp {
  readonly name: string
  readonly links: readonly string[]
  readonly loopback: boolean
}

/** The option `apps`, checked and complete. */
export interface ResolvedApps {
  readonly clients: ReadonlyMap<string, ResolvedApp>
  /** The store of codes, unguarded. `features/apps/store` guards it. */
  readonly store: RecordStore
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}
