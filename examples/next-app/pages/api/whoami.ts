/** An API route of the Pages Router: `auth` takes its request and response. */
import type { NextApiRequest, NextApiResponse } from 'next'
import { auth } from '../../auth'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const session = await auth(req, res)
  if (!session) return res.status(401).json({ error: 'unauthorized' })
  res.json({ seenBy: 'API route', user: session.user })
}
