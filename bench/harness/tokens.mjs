/** Session tokens of a wanted size, as the libraries themselves make them. */
import { authJsCookieName, cookieName, secret, user } from '../apps/people.mjs'

const chunk = 3936

/** Claims whose JSON has about so many bytes when the token's own claims (times and an id) are with them. */
export function claimsOf(bytes) {
  const { id: sub, name, email, image: picture } = user
  const claims = { sub, name, email, picture }
  const missing = bytes - JSON.stringify(claims).length - 90
  // An application's roles and permissions: many short texts, not one long.
  if (missing > 20)
    claims.roles = Array.from({ length: Math.round((missing - 11) / 18) }, (_, at) => `role-${1e9 + at}`)
  return claims
}

/** By module of `apps`, what makes a `Cookie` header with a token. */
export const mints = {
  async ours() {
    const { encode } = await import('../../dist/lib/jwt.js')
    return async (claims) => cookies(cookieName, await encode({ token: claims, secret, salt: cookieName }))
  },
  async 'auth-js'() {
    const { encode } = await import('@auth/core/jwt')
    return async (claims) => cookies(authJsCookieName, await encode({ token: claims, secret, salt: authJsCookieName }))
  },
}

/** Long tokens are in several cookies. */
function cookies(name, token) {
  if (token.length <= chunk) return `${name}=${token}`
  const count = Math.ceil(token.length / chunk)
  return Array.from({ length: count }, (_, at) => `${name}.${at}=${token.slice(at * chunk, (at + 1) * chunk)}`).join(
    '; ',
  )
}
