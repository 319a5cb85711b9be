/** Session tokens of a chosen size, in `Cookie` headers. They have the claims that a sign-in adds. */
import { randomUUID } from 'node:crypto'
import { authJsCookieName, cookieName, secret, user } from '../apps/people.mjs'

/** The longest part of a token in one cookie, in characters. */
const chunk = 3936

/** Returns claims whose JSON has about this number of bytes. */
export function claimsOf(bytes) {
  const { id: sub, name, email, image: picture } = user
  const claims = { sub, name, email, picture }
  const missing = bytes - JSON.stringify(claims).length - 90
  // An application's roles and permissions: many short texts, not one long one.
  if (missing > 20)
    claims.roles = Array.from({ length: Math.round((missing - 11) / 18) }, (_, at) => `role-${1e9 + at}`)
  return claims
}

/** Resolves to a function that creates `Cookie` headers of server-auth. `root` is the URL of the built package. */
export async function mintOf(root) {
  const { encode } = await import(new URL('dist/lib/jwt.js', root))
  return async (claims) => {
    const at = Math.floor(Date.now() / 1000)
    const proof = { auth_began: at, auth_proofs: `p|${at.toString(36)}|credentials|`, auth_time: at, amr: [] }
    const token = { ...claims, sid: randomUUID().replaceAll('-', '').slice(0, 22), ...proof }
    return cookies(cookieName, await encode({ token, secret, salt: cookieName }))
  }
}

/** Resolves to a function that creates `Cookie` headers of Auth.js. */
export async function mintOfAuthJs() {
  const { encode } = await import('@auth/core/jwt')
  return async (token) => cookies(authJsCookieName, await encode({ token, secret, salt: authJsCookieName }))
}

/** Divides a long token into several cookies. */
function cookies(name, token) {
  if (token.length <= chunk) return `${name}=${token}`
  const parts = Array.from({ length: Math.ceil(token.length / chunk) }, (_, at) =>
    token.slice(at * chunk, (at + 1) * chunk),
  )
  return parts.map((part, at) => `${name}.${at}=${part}`).join('; ')
}
