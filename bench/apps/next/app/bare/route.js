import { cookies } from 'next/headers'
import { user } from '../../../people.mjs'

/** Reads its cookies, as every route with a user-specific answer does. */
export async function GET() {
  const jar = await cookies()
  return jar.getAll().length > 0
    ? Response.json({ hello: user.name })
    : Response.json({ error: 'Unauthorized' }, { status: 401 })
}
