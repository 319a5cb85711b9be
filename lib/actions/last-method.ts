/**
 * The sign-in method that was used last in this browser, which the sign-in page marks. A cookie stores the id of its
 * provider, and nothing about the user. Only the sign-in page receives it. A planted value marks another method.
 */
import type { AuthContext } from '../contracts/index.js'
import type { CookieOption } from '../types/cookies.js'
import type { StepOf } from './sign-in-stages.js'

/** In seconds. */
const lastMethodMaxAge = 180 * 24 * 60 * 60

/** Stores the method of a sign-in, if the built-in page has several. */
export const rememberMethod: StepOf<'after'> = {
  name: 'last sign-in method',
  stage: 'after',
  run({ context, signIn }) {
    const { account } = signIn?.identity ?? {}
    if (!account || account.type === 'application' || !marksMethod(context)) return undefined
    if (!context.config.providers.has(account.provider)) return undefined
    const expires = new Date(Date.now() + lastMethodMaxAge * 1000)
    context.cookies.set(lastMethodCookie(context, { maxAge: lastMethodMaxAge, expires }), account.provider)
    return undefined
  },
}

/** Returns the id of the provider that was used last; `undefined` if it is unknown. */
export function lastMethod(context: AuthContext): string | undefined {
  const { config, cookies } = context
  const id = marksMethod(context) ? cookies.get(lastMethodCookie(context).name) : undefined
  return id !== undefined && config.providers.has(id) ? id : undefined
}

function marksMethod({ config, urls }: AuthContext): boolean {
  return config.theme.lastUsed !== false && config.providers.size > 1 && urls.customPage('signIn') === undefined
}

/** Returns the cookie, at the path of the sign-in page. */
export function lastMethodCookie(
  { cookiePolicy, urls }: AuthContext,
  own: Pick<CookieOption['options'], 'maxAge' | 'expires'> = {},
): CookieOption {
  const { name, options } = cookiePolicy.lastMethod
  return { name, options: { ...options, ...own, path: new URL(urls.endpoint('signin')).pathname } }
}
