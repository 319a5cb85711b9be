/** What the methods of adapters change of sessions and their users, for what remembers these. */
import { isPromiseLike } from '../base/after.js'
import type { AdapterMethod } from '../types/adapter.js'
import type { Change, Forgetter } from './recent-sessions.js'

/** What a call changes; `undefined` for one that changes neither sessions nor users that are there. */
export function changeOf(method: AdapterMethod, [first]: readonly unknown[]): Change | undefined {
  const field = (name: string) => (isObject(first) ? textOf(Reflect.get(first, name)) : undefined)
  switch (method) {
    case 'createSession':
    case 'updateSession':
    case 'writeSessionData':
      return { sessionToken: field('sessionToken') }
    case 'deleteSession':
      return { sessionToken: textOf(first) }
    case 'updateUser':
      return { userId: field('id') }
    case 'linkAccount':
      return { userId: field('userId') }
    case 'deleteUser':
    case 'deleteSessionsByUserId':
      return { userId: textOf(first) }
    // It names no user.
    case 'unlinkAccount':
      return {}
    default:
      return undefined
  }
}

/**
 * Runs a write between two times of forgetting. The second comes when the work itself has ended, also where nobody waits for it
 * any more: what is read in between may be what was there before.
 */
export function forgetAround(forget: () => void, write: () => unknown): unknown {
  forget()
  let work: unknown
  try {
    work = write()
  } catch (error) {
    forget()
    throw error
  }
  if (isPromiseLike(work)) {
    // One promise for all who wait: what some libraries return runs once more whenever somebody asks it.
    const promise = Promise.resolve(work)
    promise.then(forget, forget)
    return promise
  }
  forget()
  return work
}

/** Forgets, and says afterwards what was forgotten: what a transaction changes, others see at its end. */
export class ChangeRecord implements Forgetter {
  readonly #forgetter: Forgetter
  readonly #changes: Change[] = []

  constructor(forgetter: Forgetter) {
    this.#forgetter = forgetter
  }

  forget(change: Change): void {
    this.#changes.push(change)
    this.#forgetter.forget(change)
  }

  forgetAgain(): void {
    for (const change of this.#changes) this.#forgetter.forget(change)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What is no text is not known. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
