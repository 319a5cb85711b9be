/**
 * A passkey that the site did not take: the device keeps it all the same, and offers it for ever. Its authenticator is told
 * (WebAuthn Level 3 §5.1.10.2, `signalUnknownCredential`), where the browser can. Only after a refusal: a site that did not
 * answer, or that has a problem, may have stored the passkey.
 */
import { here, page, webUrl } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'

/** A passkey that was just made. */
export interface MadePasskey {
  readonly rpId: string
  /** As Base64url, the way it stands in the answer. */
  readonly credentialId: string
}

/** Tells the authenticator that the site does not know a passkey. Never throws. */
export async function forget(passkey: MadePasskey): Promise<void> {
  try {
    await page.PublicKeyCredential?.signalUnknownCredential?.(passkey)
  } catch {
    // The passkey stays where it is, as in a browser that cannot be told.
  }
}

/** Whether the server said no, by a status or by a type of error. `Configuration` stands for faults of its own. */
export function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof PasskeyError) || thrown.reason !== 'refused') return false
  const { error, status = 400 } = thrown.refusal
  return status >= 400 && status < 500 && isRefusalType(error)
}

function isRefusalType(error: string | null | undefined): boolean {
  return typeof error === 'string' && error !== '' && error !== 'Configuration'
}

const key = 'server-auth.made-passkey'
/** Milliseconds in which the answer to a form arrives. */
const patience = 2 * 60 * 1000

/** Remembers, in this tab, the passkey that a form is about to tell the server of: the next page knows what came of it. */
export function remember(passkey: MadePasskey): void {
  try {
    page.sessionStorage?.setItem(key, JSON.stringify({ ...passkey, at: Date.now() }))
  } catch {
    // A browser that stores nothing.
  }
}

/** On the page after the form: tells the authenticator where the server said no. */
export async function settle(): Promise<void> {
  const made = take()
  if (made && isRefusalType(answeredError())) await forget(made)
}

function take(): MadePasskey | undefined {
  try {
    const { rpId, credentialId, at } = Object(JSON.parse(page.sessionStorage?.getItem(key) ?? 'null'))
    page.sessionStorage?.removeItem(key)
    const isOurs = typeof rpId === 'string' && typeof credentialId === 'string'
    return isOurs && Date.now() - Number(at) < patience ? { rpId, credentialId } : undefined
  } catch {
    return undefined
  }
}

/**
 * The error that brought the person here, or to the error page before this one. Only after a page of this site: a link of
 * another site could name an error too, and would make a device drop a passkey that works.
 */
function answeredError(): string | null | undefined {
  const [own, before] = [webUrl(here()), webUrl(page.document?.referrer || undefined)]
  if (!own || own.origin !== before?.origin) return undefined
  return own.searchParams.get('error') ?? before.searchParams.get('error')
}

/** What is to be forgotten where the server refuses: only what has just been made. */
export function madePasskey(action: PasskeyAction, rpId: string | undefined, answer: object): MadePasskey | undefined {
  const { id } = answer as { readonly id?: unknown }
  const site = rpId ?? webUrl(page.location?.href)?.hostname
  if (action !== 'register' || typeof id !== 'string' || site === undefined) return undefined
  return { rpId: site, credentialId: id }
}
