/** Makes room for what an answer sets, such as a large session: other attempts to sign in give way. */
import type { AuthContext } from '../contracts/index.js'
import { makeRoom } from '../http/cookie-budget.js'

/** The cookies that the answer leaves in the browser fit into its next request. Call it before they are written. */
export function fitCookies({ cookies, cookiePolicy, request }: AuthContext): void {
  const { callbackUrl, transaction } = cookiePolicy
  const options = { ...transaction.options, path: request.basePath || '/' }
  const { written } = cookies
  const attempts = [...cookies.received.keys()].filter(
    (name) => name.startsWith(`${transaction.name}.`) && !written.has(name),
  )
  makeRoom(cookies, [callbackUrl, ...attempts.map((name) => ({ name, options }))])
}
