/**
 * Passkeys that the site rejected after the device had stored them. The authenticator is notified, if the browser
 * supports it (WebAuthn Level 3 §5.1.10.2, `signalUnknownCredential`), so that it no longer offers them. It happens
 * only after a rejection: a site that did not respond, or has a problem, may have stored the passkey.
 */
import { currentUrl, page, webUrl } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'

/** A passkey that was just created. */
export interface CreatedPasskey {
  readonly rpId: string
  /** In base64url, as in the response. */
  readonly credentialId: string
}

/** Notifies the authenticator that the site does not know a passkey. Never throws. */
export async function signalUnknownPasskey(passkey: CreatedPasskey): Promise<void> {
  try {
    await page.PublicKeyCredential?.signalUnknownCredential?.(passkey)
  } catch {
    // The passkey remains, as in a browser without this feature.
  }
}

/**
 * Checks whether the server rejected the request, by status or error type. `Configuration` is the type of the server's
 * own errors.
 */
export function isRejection(thrown: unknown): boolean {
  if (!(thrown instanceof PasskeyError) || thrown.reason !== 'refused') return false
  const { error, status = 400 } = thrown.rejection
  return status >= 400 && status < 500 && isRejectionType(error)
}

function isRejectionType(error: string | null | undefined): boolean {
  return typeof error === 'string' && error !== '' && error !== 'Configuration'
}

const key = 'server-auth.made-passkey'
/** The time in which the response to a form arrives, in milliseconds. */
const maxResponseTime = 2 * 60 * 1000

/** Stores the passkey of a form in this tab, before it is submitted. The next page knows its result. */
export function storeCreatedPasskey(passkey: CreatedPasskey): void {
  try {
    page.sessionStorage?.setItem(key, JSON.stringify({ ...passkey, at: Date.now() }))
  } catch {
    // A browser without storage.
  }
}

/** Notifies the authenticator on the page after the form, if the server rejected the passkey. */
export async function signalIfRejected(): Promise<void> {
  const made = takeCreatedPasskey()
  if (made && isRejectionType(errorOfPage())) await signalUnknownPasskey(made)
}

function takeCreatedPasskey(): CreatedPasskey | undefined {
  try {
    const { rpId, credentialId, at } = Object(JSON.parse(page.sessionStorage?.getItem(key) ?? 'null'))
    page.sessionStorage?.removeItem(key)
    const isOurs = typeof rpId === 'string' && typeof credentialId === 'string'
    return isOurs && Date.now() - Number(at) < maxResponseTime ? { rpId, credentialId } : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the error of this page, or of the error page before it. It requires a page of this site before, because a
 * link of another site could contain an error too, and make a device delete a valid passkey.
 */
function errorOfPage(): string | null | undefined {
  const [own, before] = [webUrl(currentUrl()), webUrl(page.document?.referrer || undefined)]
  if (!own || own.origin !== before?.origin) return undefined
  return own.searchParams.get('error') ?? before.searchParams.get('error')
}

/** Returns a new passkey, which the authenticator deletes if the server rejects it. */
export function createdPasskey(
  action: PasskeyAction,
  rpId: string | undefined,
  answer: object,
): CreatedPasskey | undefined {
  const { id } = answer as { readonly id?: unknown }
  const site = rpId ?? webUrl(page.location?.href)?.hostname
  if (action !== 'register' || typeof id !== 'string' || site === undefined) return undefined
  return { rpId: site, credentialId: id }
}
