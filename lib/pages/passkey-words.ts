/** What the script of passkeys says, for pages in other words than its own, which are the English ones. */
import type { Language } from '../contracts/index.js'
import en, { type MessageKey } from '../i18n/en.js'

/** By reason; `New` where a passkey was to be made. The script (`client/passkey-page.ts`) reads them by these names. */
const keys = {
  insecurePage: 'passkey.insecurePage',
  unsupportedBrowser: 'passkey.unsupportedBrowser',
  cancelled: 'passkey.cancelled',
  cancelledNew: 'passkey.cancelledNew',
  'not-allowed': 'passkey.notAllowed',
  'already-registered': 'passkey.alreadyRegistered',
  unsupported: 'passkey.unsupported',
  unsupportedNew: 'passkey.unsupportedNew',
  insecure: 'passkey.insecure',
  refused: 'passkey.refused',
  refusedNew: 'passkey.refusedNew',
  network: 'passkey.network',
  failed: 'passkey.failed',
  outage: 'signIn.unavailable',
} as const satisfies Readonly<Record<string, MessageKey>>

/** Whether the script does not know the words of a language. */
export function hasOwnWords({ messages }: Language): boolean {
  return messages !== en
}

/** The words of a language. */
export function passkeyWords({ messages }: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keys).map(([reason, key]) => [reason, messages[key]]))
}
