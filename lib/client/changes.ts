/**
 * Who is signed in has changed: those who show it are told, in this page and in the other pages of the site. Other pages
 * get no session, only whether there is one: each asks for its own.
 */
import type { Session } from '../types/session.js'
import { endpoint } from './request.js'

/** What is known of a change. Neither: somebody may have come or gone. */
export interface Change {
  /** The session now. Within this page only. */
  readonly session?: Session | null
  /** Whether there is a session now. */
  readonly signedIn?: boolean
}

type Listener = (change: Change) => unknown

const listeners = new Set<Listener>()
/** A channel brings messages to all others of its name, those of the same page included. */
const pageId = Math.random()

/** Calls back at each change, until the function that it returns is called. */
export function onChange(listener: Listener): () => void {
  const channel = openChannel()
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Any script of the site may use the channel.
      const { from, signedIn }: Partial<Message> = Object(data)
      if (typeof from === 'number' && from !== pageId) listener({ signedIn })
    }
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    channel?.close()
  }
}

/** Tells this page and the others. Resolves when all of this page know who is signed in. */
export async function announce(change: Change = {}): Promise<void> {
  tellOtherPages(change.signedIn)
  await Promise.all([...listeners].map((listener) => listener(change)))
}

interface Message {
  readonly from: number
  readonly signedIn: boolean | undefined
}

/** Tells the other pages only. */
export function tellOtherPages(signedIn?: boolean): void {
  const channel = openChannel()
  channel?.postMessage({ from: pageId, signedIn } satisfies Message)
  channel?.close()
}

/** Pages of browsers without channels learn of a change when they get the focus. */
function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(endpoint('session'))
}
