/**
 * The email link in the browser that opened it.
 *
 * Its token is in no URL. A cookie keeps it, and each form names its link. Otherwise an attacker could open a link of
 * their own in a second window, and the user would set the password of the attacker's account.
 */
import type { AuthContext, PasswordFormLink } from '../../contracts/index.js'
import { equalText, shortHash } from '../../crypto/hash.js'
import { Verification } from '../../errors.js'
import { Attempts, attemptMaxAge, clearAttempt } from '../../flows/attempt.js'
import { singleParam } from '../../http/urls.js'
import { withRateLimit } from '../limits/attempts.js'

/** The page that a link leads to. */
export type LinkStep = 'verify' | 'reset'

/** A link that was opened in this browser. */
interface OpenedLink {
  readonly token: string
  /**
   * The latest form of this browser: a hash of its email address, and the reference to its link. Times in milliseconds
   * since the epoch.
   */
  readonly form?: { readonly of: string; readonly link: string; readonly until: number }
  /** The time until which forms for several email addresses may be open in this browser. */
  readonly severalUntil?: number
}

const links = new Attempts<OpenedLink>('password-link')

/** Returns the end of the cookie's name. */
const slotOf = (step: LinkStep) => `password-${step}` as const

/**
 * Moves the token from the URL to the cookie, to keep it out of histories, logs and `Referer` headers. @returns Whether
 * there was one.
 */
async function moveTokenToCookie(context: AuthContext, step: LinkStep): Promise<boolean> {
  const { searchParams } = context.request.url
  if (!searchParams.has('token')) return false
  const token = singleParam(searchParams, 'token')
  if (token === undefined || token.length > maxTokenLength) throw incompleteLink()
  const presented = await presentedLink(context, step)
  await links.storeInCookie(context, slotOf(step), { ...presented, token })
  return true
}

/**
 * Returns the token of a form, a page or an API client.
 *
 * @throws {@link Verification} if there is none, and for a form that may belong to another link.
 */
async function linkTokenOf(context: AuthContext, step: LinkStep): Promise<string> {
  const { body, method } = context.request
  if (typeof body.token === 'string' && body.token.length <= maxTokenLength) return body.token
  const presented = await presentedLink(context, step)
  if (body.link !== undefined) return formLinkTokenOf(context, step, presented)
  if (!presented) throw incompleteLink()
  if (method === 'POST' && !isOnlyOpenForm(presented)) {
    throw new Verification(
      'Forms of several links may be open in this browser, and this one does not say which link it belongs to. Send the parameter `link` of the page in the field `link`.',
    )
  }
  return presented.token
}

/** Checks whether a form without a link can only belong to the link that was opened last. */
function isOnlyOpenForm({ token, form, severalUntil = 0 }: OpenedLink): boolean {
  return form?.link === linkReference(token) && severalUntil <= Date.now()
}

/**
 * Returns the token for a form with a link. The form of a custom page sends a reference, which is valid for the link
 * that was opened last.
 */
async function formLinkTokenOf(
  context: AuthContext,
  step: LinkStep,
  presented: OpenedLink | undefined,
): Promise<string> {
  const { link } = context.request.body
  const opened = typeof link === 'string' ? await links.open(context, link, [step]) : undefined
  if (opened?.isHere) return opened.attempt.token
  if (presented && typeof link === 'string' && equalText(linkReference(presented.token), link)) return presented.token
  throw new Verification(
    'The form belongs to another link than the one that was opened last. Open the link in the email again.',
  )
}

async function presentedLink(context: AuthContext, step: LinkStep): Promise<OpenedLink | undefined> {
  const [presented] = await links.presented(context, [slotOf(step)])
  return presented?.attempt
}

function linkReference(token: string): string {
  return shortHash(`password link ${token}`)
}

/** Submits the form of a link. A bad link is counted as a guess. @throws {@link Verification} {@link TooManyRequests} */
export function submitLink<T>(context: AuthContext, step: LinkStep, submit: (token: string) => Promise<T>): Promise<T> {
  const attempt = step === 'reset' ? ({ rule: 'reset', scope: 'link' } as const) : ({ rule: 'mailToken' } as const)
  const isBadLink = (error: unknown) => error instanceof Verification
  return withRateLimit(context, attempt, async () => submit(await linkTokenOf(context, step)), isBadLink)
}

/** Clears the cookie of a used link. */
export function forgetLink(context: AuthContext, step: LinkStep): void {
  clearAttempt(context, slotOf(step))
}

/**
 * Opens the link of a page, and returns the link for its form. Changes nothing.
 *
 * @returns `moved` if the URL had a token: the browser is redirected to the same page without it.
 * @throws The errors of `open` for an invalid link.
 */
export async function openLinkPage<T extends { readonly email: string }>(
  context: AuthContext,
  step: LinkStep,
  open: (token: string) => Promise<T>,
) {
  if (await moveTokenToCookie(context, step)) return 'moved'
  const token = await linkTokenOf(context, step)
  const shown = await open(token)
  const reference = linkReference(token)
  const presented = await presentedLink(context, step)
  if (presented?.token === token)
    await links.storeInCookie(context, slotOf(step), withForm(presented, shown.email, reference))
  const link: PasswordFormLink = { sealed: await links.seal(context, { token }, [step]), reference }
  return { ...shown, link }
}

/** Adds the form that is shown, and notes whether one for another address may be open. */
function withForm({ token, form, severalUntil }: OpenedLink, email: string, link: string): OpenedLink {
  const of = shortHash(email)
  const until = Date.now() + attemptMaxAge * 1000
  const isAnother = form !== undefined && form.until > Date.now() && form.of !== of
  const several = isAnother ? until : severalUntil
  return { token, form: { of, link, until }, ...(several !== undefined && { severalUntil: several }) }
}

/** Characters. */
const maxTokenLength = 2048

function incompleteLink(): Verification {
  return new Verification('The link is incomplete, or was opened too long ago.')
}
