import { auth } from '../../auth'

/**
 * Requests without a session do not get here, because `proxy.ts` has checked it. Read the session again where it
 * matters: the proxy is only the first check.
 */
export default async function AccountPage() {
  const session = await auth()
  if (!session) return null
  return (
    <>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd>{session.user?.name}</dd>
        <dt>Email</dt>
        <dd>{session.user?.email}</dd>
        <dt>Id</dt>
        <dd>{session.user?.id}</dd>
        <dt>Signed in until</dt>
        <dd>{new Date(session.expires).toUTCString()}</dd>
      </dl>
    </>
  )
}
