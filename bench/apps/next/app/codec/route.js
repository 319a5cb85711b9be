import { cookies } from 'next/headers'
import { openRemembered } from '../../../codec.mjs'
import { cookieName } from '../../../people.mjs'

/** The least that `auth()` has to do: the token among the cookies, opened or remembered. */
export async function GET() {
  const token = (await cookies()).get(cookieName)?.value
  const claims = token && openRemembered(token)
  return claims ? Response.json({ hello: claims.name }) : Response.json({ error: 'Unauthorized' }, { status: 401 })
}
