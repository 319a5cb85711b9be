/** Makes a user an administrator: `npm run promote ada@example.com`. */
import { adapter } from './auth.js'

const user = await adapter.getUserByEmail(process.argv[2] ?? '')
if (!user?.emailVerified) throw new Error('No user has verified this email address. Sign up first.')
await adapter.updateUser({ id: user.id, role: 'admin' })
