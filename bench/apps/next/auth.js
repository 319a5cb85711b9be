import Credentials from '../../../dist/lib/providers/credentials.js'
import initAuth from '../../../dist/shim/hosts/next.js'
import { secret, user } from '../people.mjs'

export const { auth } = initAuth({
  secret,
  trustHost: true,
  basePath: '/auth',
  providers: [Credentials({ credentials: { username: {} }, authorize: () => user })],
})
