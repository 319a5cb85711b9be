import { revalidatePath } from 'next/cache'
import { SessionProvider } from 'server-auth/react'
import { auth, unstable_update } from '../../auth'
import { NameInBrowser } from './name-in-browser'

/** Two ways to change the session: by a server action, and in the browser. */
export default async function SettingsPage() {
  const session = await auth()
  return (
    <>
      <h1>Settings</h1>
      <form action={rename} className="sheet">
        <h2>On the server</h2>
        <label>
          Name
          <input defaultValue={session?.user?.name ?? ''} maxLength={60} name="name" required />
        </label>
        <button type="submit">Save</button>
      </form>
      <SessionProvider session={session}>
        <NameInBrowser />
      </SessionProvider>
    </>
  )
}

async function rename(form: FormData) {
  'use server'
  await unstable_update({ user: { name: String(form.get('name')) } })
  revalidatePath('/settings')
}
