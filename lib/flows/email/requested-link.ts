/**
 * The attempts of email links. They record which browser requested a link: only there it works without confirmation.
 */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { includesHash } from '../../crypto/keyed-hashes.js'
import { type Attempt, Attempts, clearAttempt } from '../attempt.js'
import { isShortCode, tokenHashes } from './token-format.js'

/** A link that this browser requested. The link also contains the attempt's id. */
export interface RequestedLink {
  readonly provider: string
  readonly address: string
  /** The hash of the token in the link. */
  readonly hash: string
  /** The hash under which the token is stored: it is bound to a security stamp as well. Absent in attempts of earlier versions. */
  readonly kept?: string
  readonly callbackUrl: string
  /** The session in which the link was requested. */
  readonly startedBy?: string
}

/** The contents of an email link. */
export interface EmailLink {
  readonly token: string
  readonly address: string
  readonly attempt: string | undefined
}

const requests = new Attempts<RequestedLink>('email-attempt')

/** The end of the cookie's name. There is one cookie: a request for another link replaces it. */
const emailSlot = 'email'

/** Stores the requested link in a cookie. */
export function storeRequestedLink(context: AuthContext, request: RequestedLink): Promise<Attempt<RequestedLink>> {
  return requests.storeInCookie(context, emailSlot, request)
}

/** Returns the link that this browser requested last, for any address; `undefined` without one. */
export async function readLatestLink(context: AuthContext): Promise<Attempt<RequestedLink> | undefined> {
  const [held] = await requests.presented(context, [emailSlot])
  return held?.attempt
}

/** Returns the link that this browser requested last; `undefined` without one, or if it was for another address. */
export async function readRequestedLink(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<Attempt<RequestedLink> | undefined> {
  const held = (await requests.presented(context, [emailSlot])).map(({ attempt }) => attempt)
  return held.find((each) => each.provider === provider.id && each.address === address)
}

/** Returns the request of this browser, if it was for this link. A typed code names no attempt. */
export async function findRequestedLink(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  link: EmailLink,
): Promise<RequestedLink | undefined> {
  const request = await readRequestedLink(context, provider, link.address)
  if (!request) return undefined
  const isNamed = link.attempt === undefined ? isShortCode(link.token) : equalText(request.id, link.attempt)
  const fits = includesHash(tokenHashes(provider, link.address, link.token), request.hash)
  return isNamed && fits ? request : undefined
}

/** Forgets the requested link after its use. */
export function clearRequestedLink(context: AuthContext): void {
  clearAttempt(context, emailSlot)
}
