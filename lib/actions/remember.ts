/**
 * "Keep me signed in": the checkbox of a form, if `session.rememberMaxAge` is set. During a sign-in with a provider or
 * an email link, a cookie stores it. A sibling subdomain cannot plant it (`__Host-`).
 */
import type { AuthContext, Identity } from '../contracts/index.js'
import type { RememberCheckbox } from '../pages/index.js'
import type { StepOf } from './sign-in-stages.js'

/** In seconds, as long as the maximum lifetime of an email link. */
const rememberCookieMaxAge = 24 * 60 * 60

/** The field of a form with the checkbox. With it, a missing checkbox value means no. */
export const checkboxField = 'rememberAsked'

/** Returns the checkbox with its last value; `undefined` if the option is not set. */
export function rememberCheckbox({ config, cookies, cookiePolicy }: AuthContext): RememberCheckbox | undefined {
  if (config.session.rememberMaxAge === undefined) return undefined
  return { isChecked: cookies.get(cookiePolicy.remember.name) === '1' }
}

/** Stores the checkbox of the form that starts a sign-in. */
export function storeRemembered(context: AuthContext): void {
  const { config, cookies, cookiePolicy, request } = context
  if (config.session.rememberMaxAge === undefined) return
  const { name, options } = cookiePolicy.remember
  if (isChecked(request.body.remember))
    cookies.set({ name, options: { ...options, maxAge: rememberCookieMaxAge } }, '1')
  else if (cookies.get(name) !== undefined) cookies.clear(cookiePolicy.remember)
}

/** Reads the checkbox at the end of a sign-in. The application's code passes its own value. */
export const keepSignedIn: StepOf<'identity'> = {
  name: 'keep me signed in',
  stage: 'identity',
  run: ({ context, identity: { account }, sessionOptions }) =>
    account.type === 'application'
      ? undefined
      : { sessionOptions: { ...sessionOptions, remembered: takeRemembered(context, account) } },
}

function takeRemembered(context: AuthContext, account: Identity['account']): boolean {
  const { cookies, cookiePolicy, request } = context
  const noted = rememberCheckbox(context)?.isChecked === true
  if (noted) cookies.clear(cookiePolicy.remember)
  if (account.type === 'oauth' || account.type === 'oidc') return noted
  // Our confirmation page shows the checkbox again, and an unchecked one sends nothing. A form for a typed code may
  // have no checkbox.
  const isUnasked = account.type === 'email' && request.body[checkboxField] === undefined
  return isChecked(request.body.remember) || (noted && isUnasked)
}

/** Checks a checkbox value. A checkbox sends `on`; the published client sends the values of scripts as text. */
function isChecked(value: unknown): boolean {
  return value === true || value === 'true' || value === 'on' || value === '1'
}
