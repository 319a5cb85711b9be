/** What reading and beginning a session have in common: which token counts, the `jwt` callback, and the new token. */
import { after } from '../../base/after.js'
import { isRecord } from '../../base/guards.js'
import type { CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { CallbackRouteError } from '../../errors.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { type Choice, chooseSession } from '../browser.js'
import { endsWithBrowser } from '../lifetime.js'
import { type EngineClaims, lifespanOf, nowInSeconds } from './engine-claims.js'
import type { FoundToken, HeldTokens } from './held-token.js'
import { renewedExpiry } from './noted.js'

/** Of these names those that belong to sessions. */
export function sessionsIn(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, isSession]) => (isSession ? [name] : []))
}

export function choose(context: CookieContext, { valid }: HeldTokens): Awaitable<Choice<FoundToken>> {
  return chooseSession(context, valid, ({ claims }) => claims.sid)
}

/** The `jwt` callback's decision. A forgotten `return` is an error, not a sign-out; `true` is no token. */
export function askJwt(config: ResolvedConfig, params: JwtCallbackParams): Awaitable<JWT | null> {
  return after(config.callbacks.jwt(params), (token) => {
    if (token === null || isRecord(token)) return token
    throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
  })
}

/** Seals a token for as long as it may live. `maxAge`: seconds for which the browser keeps it. */
export async function seal({ config, cookiePolicy }: CookieContext, token: JWT & EngineClaims) {
  const maxAge = renewedExpiry(config, token) / 1000 - nowInSeconds()
  const salt = cookiePolicy.sessionToken.name
  const text = await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge })
  return { token: text, maxAge: endsWithBrowser(config, lifespanOf(token)) ? undefined : maxAge }
}
