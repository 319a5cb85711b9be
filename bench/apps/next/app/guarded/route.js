import { auth } from '../../auth.js'

export async function GET() {
  const session = await auth()
  return session?.user
    ? Response.json({ hello: session.user.name })
    : Response.json({ error: 'Unauthorized' }, { status: 401 })
}
