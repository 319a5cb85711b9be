/** Performs a ceremony, from the request for options to the passkey's response (WebAuthn Level 3 §1.3). */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { page } from './page.js'
import { PasskeyError, toPasskeyError } from './passkey-error.js'
import { type CeremonyOptions, fetchOptions, type OptionsRequest } from './passkey-request.js'
import { withFreshChallenge } from './passkey-schedule.js'
import { createdPasskey } from './rejected-passkey.js'

/** A ceremony to be performed. */
export interface Ceremony extends OptionsRequest {
  /** Wait until the user picks a passkey among the browser's suggestions for an input (`authenticate` only). */
  readonly autofill?: boolean
}

/**
 * Performs a ceremony.
 *
 * @returns The response as JSON text for the callback's `data`; and the passkey, if one was created.
 * @throws {@link PasskeyError}
 */
export async function performCeremony(ceremony: Ceremony, signal: AbortSignal) {
  const { action, autofill } = ceremony
  try {
    if (autofill) return await withFreshChallenge((fresh) => performOnce(ceremony, fresh), signal)
    return await performOnce(ceremony, signal)
  } catch (thrown) {
    throw signal.aborted ? new PasskeyError('aborted', action, { cause: thrown }) : toPasskeyError(thrown, action)
  }
}

/** Returns the reason why passkeys cannot be used here; `undefined` if they can. */
export function unavailableReason(): 'insecure' | 'unsupported' | undefined {
  if (browserSupportsWebAuthn()) return undefined
  // Browsers hide the interface from insecure pages, so the advice to use another browser would be wrong.
  return page.isSecureContext === false ? 'insecure' : 'unsupported'
}

/** Checks whether the browser can suggest passkeys at an input. */
export async function suggestsPasskeys(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill().catch(() => false)
}

async function performOnce(ceremony: Ceremony, signal: AbortSignal) {
  await assertAvailable(ceremony)
  const options = await fetchOptions(ceremony, signal)
  if (signal.aborted) throw new PasskeyError('aborted', ceremony.action)
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  try {
    const answer = await startBrowserCeremony(options, ceremony.autofill ? signal : undefined)
    const rpId = options.action === 'register' ? options.options.rp.id : undefined
    return { data: JSON.stringify(answer), made: createdPasskey(options.action, rpId, answer) }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function assertAvailable({ action, autofill }: Ceremony): Promise<void> {
  const reason = unavailableReason()
  if (reason) throw new PasskeyError(reason, action)
  if (autofill && !(await suggestsPasskeys())) throw new PasskeyError('unsupported', action)
}

/**
 * Starts the browser's ceremony. @param autofill The signal of a request at an input; `undefined` for one with a
 * dialog.
 */
function startBrowserCeremony(
  { action, options }: CeremonyOptions,
  autofill: AbortSignal | undefined,
): Promise<object> {
  if (action === 'register') return startRegistration({ optionsJSON: options })
  if (!autofill) return startAuthentication({ optionsJSON: options })
  const answer = startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: true,
    // An application may show its input later.
    verifyBrowserAutofillInput: false,
  })
  // The library performs the same check first, and cannot be cancelled before it ends, so an abort would be missed.
  void suggestsPasskeys().then(() => autofill.aborted && WebAuthnAbortService.cancelCeremony())
  return answer
}
