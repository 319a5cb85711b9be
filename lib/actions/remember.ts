/**
 * "Keep me signed in": what the box of a form says, where `session.rememberMaxAge` is set. Who goes to a provider, or looks into
 * their mail, comes back without the form: until then a cookie says it. A sibling subdomain cannot plant it (`__Host-`).
 */
import type { AuthContext, Identity } from '../contracts/index.js'
import type { RememberBox } from '../pages/index.js'
import type { StepOf } from './sign-in-stages.js'

/** Seconds: as long as a mailed link may wait. */
const maxAge = 24 * 60 * 60

/** The field of a form that has the box, where leaving it alone means no. */
export const boxShown = 'rememberAsked'

/** The box, as it was ticked the last time; `undefined` where nobody is asked. */
export function rememberBox({ config, cookies, cookiePolicy }: AuthContext): RememberBox | undefined {
  if (config.session.rememberMaxAge === undefined) return undefined
  return { isTicked: cookies.get(cookiePolicy.remember.name) === '1' }
}

/** Notes what the form says with which a sign-in begins. */
export function noteRemembered(context: AuthContext): void {
  const { config, cookies, cookiePolicy, request } = context
  if (config.session.rememberMaxAge === undefined) return
  const { name, options } = cookiePolicy.remember
  if (isTicked(request.body.remember)) cookies.set({ name, options: { ...options, maxAge } }, '1')
  else if (cookies.get(name) !== undefined) cookies.clear(cookiePolicy.remember)
}

/** Reads the checkbox at the end of a sign-in. The application's own code says it itself. */
export const keepSignedIn: StepOf<'identity'> = {
  name: 'keep me signed in',
  stage: 'identity',
  run: ({ context, identity: { account }, wish }) =>
    account.type === 'application' ? undefined : { wish: { ...wish, remembered: takeRemembered(context, account) } },
}

function takeRemembered(context: AuthContext, account: Identity['account']): boolean {
  const { cookies, cookiePolicy, request } = context
  const noted = rememberBox(context)?.isTicked === true
  if (noted) cookies.clear(cookiePolicy.remember)
  if (account.type === 'oauth' || account.type === 'oidc') return noted
  // Our question has asked again, and a box that is not ticked sends nothing. A form that takes a typed code may have none.
  const isUnasked = account.type === 'email' && request.body[boxShown] === undefined
  return isTicked(request.body.remember) || (noted && isUnasked)
}

/** A box sends `on`; the published client sends what scripts give it as text. */
function isTicked(value: unknown): boolean {
  return value === true || value === 'true' || value === 'on' || value === '1'
}
