import { auth } from '../../auth'

/** Nobody gets here without a session: `proxy.ts` has asked. Read it again where it counts, the proxy is only the first door. */
export default async function AccountPage() {
  const session = await auth()
  if (!session) return null
  return (
    <>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd>{session.user?.name}</dd>
        <dt>E-mail</dt>
        <dd>{session.user?.email}</dd>
        <dt>Id</dt>
        <dd>{session.id}</dd>
        <dt>Signed in until</dt>
        <dd>{new Date(session.expires).toUTCString()}</dd>
      </dl>
    </>
  )
}
