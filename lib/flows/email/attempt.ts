/** The attempts of mailed links. They tell which browser asked for a link: only there it works without a further question. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { isAmong } from '../../crypto/keyed-hashes.js'
import { type Attempt, Attempts, clearAttempt } from '../attempt.js'
import { hashes, isShortCode } from './token-format.js'

/** A link that this browser asked for. The attempt's id is in the link, too. */
export interface RequestedLink {
  readonly provider: string
  readonly address: string
  /** Hash of the token in the link. */
  readonly hash: string
  /** The hash under which the token is stored: it is bound to a security stamp as well. Absent in attempts of earlier versions. */
  readonly kept?: string
  readonly callbackUrl: string
  /** The session in which it was asked for. */
  readonly startedBy?: string
}

/** What a link says. */
export interface MailedLink {
  readonly token: string
  readonly address: string
  readonly attempt: string | undefined
}

const requests = new Attempts<RequestedLink>('email-attempt')

/** The end of the cookie's name. There is one: whoever asks for another link waits for that one. */
const slot = 'email'

/** Keeps that a link was asked for. */
export function keepRequest(context: AuthContext, request: RequestedLink): Promise<Attempt<RequestedLink>> {
  return requests.keep(context, slot, request)
}

/** The link that this browser asked for; `undefined` where it asked for none, or for one to another address since. */
export async function readRequest(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<Attempt<RequestedLink> | undefined> {
  const held = (await requests.held(context, [slot])).map(({ attempt }) => attempt)
  return held.find((each) => each.provider === provider.id && each.address === address)
}

/** What the browser asked for, if it is this link. A code that a person types names no attempt. */
export async function findRequest(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  link: MailedLink,
): Promise<RequestedLink | undefined> {
  const request = await readRequest(context, provider, link.address)
  if (!request) return undefined
  const isNamed = link.attempt === undefined ? isShortCode(link.token) : equalText(request.id, link.attempt)
  const fits = isAmong(hashes(provider, link.address, link.token), request.hash)
  return isNamed && fits ? request : undefined
}

/** The link was used. */
export function clearRequest(context: AuthContext): void {
  clearAttempt(context, slot)
}
