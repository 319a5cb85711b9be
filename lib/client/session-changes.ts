/**
 * Notifies listeners of session changes, in this page and in the other pages of the site. Other pages do not receive
 * the session, only whether there is one: each fetches its own.
 */
import type { Session } from '../types/session.js'
import { endpoint } from './request.js'

/** A change of the session. Without members, the session may have started or ended. */
export interface SessionChange {
  /** The new session. Only within this page. */
  readonly session?: Session | null
  /** True if there is a session now. */
  readonly signedIn?: boolean
}

type Listener = (change: SessionChange) => unknown

const listeners = new Set<Listener>()
/** A channel delivers messages to all others of its name, including those of the same page. */
const pageId = Math.random()

/** Calls back at each change, until the returned function is called. */
export function onChange(listener: Listener): () => void {
  const channel = openChannel()
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Any script of the site may use the channel.
      const { from, signedIn }: Partial<ChannelMessage> = Object(data)
      if (typeof from === 'number' && from !== pageId) listener({ signedIn })
    }
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    channel?.close()
  }
}

/** Notifies this page and the others. Resolves when all listeners of this page have finished. */
export async function notifyAllPages(change: SessionChange = {}): Promise<void> {
  notifyOtherPages(change.signedIn)
  await Promise.all([...listeners].map((listener) => listener(change)))
}

interface ChannelMessage {
  readonly from: number
  readonly signedIn: boolean | undefined
}

/** Notifies the other pages only. */
export function notifyOtherPages(signedIn?: boolean): void {
  const channel = openChannel()
  channel?.postMessage({ from: pageId, signedIn } satisfies ChannelMessage)
  channel?.close()
}

/** Opens a channel. In browsers without channels, pages notice a change when they get the focus. */
function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(endpoint('session'))
}
