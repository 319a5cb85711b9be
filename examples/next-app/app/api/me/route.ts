/** A route handler that finds the session in `request.auth`. Requests without one do not get here. */
import { auth } from '../../../auth'

export const GET = auth((request) => Response.json({ seenBy: 'route handler', user: request.auth?.user ?? null }))
