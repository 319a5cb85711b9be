'use client'
import { useRouter } from 'next/navigation'
import { useSession } from 'server-auth/react'

/** A client component: the session comes from `SessionProvider`, and `update` changes it. */
export function NameInBrowser() {
  const { data: session, status, update } = useSession()
  const router = useRouter()

  async function rename(form: FormData) {
    await update({ user: { name: String(form.get('name')) } })
    router.refresh()
  }

  return (
    <form action={rename} className="sheet">
      <h2>In the browser</h2>
      <p aria-live="polite" id="status">
        {status}: {session?.user?.name ?? 'nobody'}
      </p>
      <label>
        Name
        <input defaultValue={session?.user?.name ?? ''} maxLength={60} name="name" required />
      </label>
      <button type="submit">Save</button>
    </form>
  )
}
