import { auth } from '../../auth'

/** A page that guards itself. */
export default async function MembersPage() {
  const session = await auth.require({ redirectTo: '/members' })
  return (
    <>
      <h1>Members</h1>
      <p>You are one of them, {session.user?.name}.</p>
    </>
  )
}
