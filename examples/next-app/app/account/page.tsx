import { auth } from '../../auth'

/** Requires a session again, where the data is: a `matcher` of `proxy.ts`, which checks first, can miss a path. */
export default async function AccountPage() {
  const session = await auth.require({ redirectTo: '/account' })
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
