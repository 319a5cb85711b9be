/**
 * The address of the last email about a password that this browser has asked for. The page that follows shows it, and
 * offers another email. A sign-in link has its own attempt (`requested-link`).
 */
import type { AuthContext } from '../../contracts/index.js'
import { Attempts } from '../attempt.js'

/** An email about a password. */
export interface MailedAddress {
  /** The id of the provider. */
  readonly provider: string
  readonly purpose: 'sign-up' | 'reset-password'
  readonly address: string
  readonly callbackUrl?: string
  /** The hash under which the link of a sign-up is stored. It does not open the link. */
  readonly link?: string
}

const mailed = new Attempts<MailedAddress>('mailed-address')

/** The end of the cookie's name. */
const mailedSlot = 'mailed'

/** The field of a form for another email. */
export const againField = 'again'

/** Checks whether a form is that for another email, on the page after an email was sent. */
export function asksAgain({ request: { body } }: Pick<AuthContext, 'request'>): boolean {
  return body.navigation === 'form' && body[againField] === '1'
}

/** Returns the parameters of the page after an email was sent. */
export function sentMailParams(context: AuthContext, provider: string, type: 'email' | MailedAddress['purpose']) {
  return { provider, type, again: asksAgain(context) ? '1' : undefined }
}

/** Stores the address, if the built-in page is shown next. The reply is the same for known and unknown addresses. */
export async function storeMailedAddress(context: AuthContext, facts: MailedAddress): Promise<void> {
  const { request, urls } = context
  if (request.body.navigation !== 'form' || urls.customPage('verifyRequest') !== undefined) return
  await mailed.storeInCookie(context, mailedSlot, facts)
}

/** Returns the address, if this browser has asked for such an email within a quarter of an hour. */
export async function readMailedAddress(
  context: AuthContext,
  purpose: MailedAddress['purpose'],
  provider: string,
): Promise<MailedAddress | undefined> {
  const [held] = await mailed.presented(context, [mailedSlot])
  return held?.attempt.purpose === purpose && held.attempt.provider === provider ? held.attempt : undefined
}
