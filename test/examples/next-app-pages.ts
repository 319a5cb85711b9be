/** The files that the tests add to the copy of the Next.js example: by path, as text, because Next.js compiles them. */
export const extraPages: Readonly<Record<string, string>> = {
  // The published client, unmodified, instead of our client.
  'app/published/page.tsx': `
import { Published } from './published'

export default function Page() {
  return <Published />
}
`,
  'app/published/published.tsx': `
'use client'
import { SessionProvider, signIn, signOut, useSession } from 'next-auth/react'

export function Published() {
  return (
    <SessionProvider>
      <Greeting />
    </SessionProvider>
  )
}

function Greeting() {
  const { data, status, update } = useSession()
  const attempt = async (password: string) => {
    const result = await signIn('credentials', { username: 'grace', password, redirect: false })
    document.title = result?.error ?? 'signed in'
  }
  return (
    <>
      <h1>{status}: {data?.user?.name ?? 'nobody'}</h1>
      <button onClick={() => attempt('wrong')}>Wrong password</button>
      <button onClick={() => attempt('grace')}>Right password</button>
      <button onClick={() => signIn('oidc')}>At the provider</button>
      <button onClick={() => update({ user: { name: 'Amazing Grace' } })}>Rename</button>
      <button onClick={() => signOut({ redirectTo: '/published' })}>Leave</button>
    </>
  )
}
`,
  // A wrapped handler outside of the API: who may not see it is sent to the sign-in page.
  'app/orders/[id]/route.ts': `
import { auth } from '../../../auth'

export const GET = auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  const { id } = await params
  return new Response(\`order \${id} of \${request.auth?.user?.name}\`)
})
`,
  // A handler that asks by itself, and one that signs out.
  'app/door/route.ts': `
import { auth, signOut } from '../../auth'

export async function GET() {
  const session = await auth()
  return Response.json({ seenBy: 'auth() in a route handler', user: session?.user ?? null })
}

export async function POST() {
  await signOut({ redirectTo: '/members' })
}
`,
  // One that auth wraps, and that signs out.
  'app/leave/route.ts': `
import { auth, signOut } from '../../auth'

export const POST = auth(async () => {
  await signOut({ redirect: false })
  return Response.json({ user: (await auth())?.user ?? null })
})
`,
  // A mistake: a server component cannot set cookies.
  'app/mistake/page.tsx': `
import { signIn } from '../../auth'

export default async function Page() {
  await signIn('credentials', { username: 'grace', password: 'grace' })
}
`,
  // Made while the application is built.
  'pages/about.tsx': `
export default function Page() {
  return <p>About</p>
}
`,
}
