/** The routes of server-auth: `/api/auth/signin`, `/api/auth/callback/…`, `/api/auth/session` and the others. */
import { handlers } from '../../../../auth'

export const { GET, POST } = handlers
