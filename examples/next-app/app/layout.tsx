import type { Metadata } from 'next'
import Link from 'next/link'
import { type ReactNode, Suspense } from 'react'
import './globals.css'
import { auth, signOut } from '../auth'

export const metadata: Metadata = { title: 'server-auth in Next.js' }

/**
 * The whole document waits for the request: forms and links are there without scripts, too. A `<Suspense>` inside `<body>`
 * would send a shell at once, and a script would put the page into it.
 */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Document>{children}</Document>
    </Suspense>
  )
}

/** The layout shows the signed-in user on every page. It is a server component that reads the session. */
async function Document({ children }: { children: ReactNode }) {
  const session = await auth()
  return (
    <html lang="en">
      <body>
        <header>
          <Link className="brand" href="/">
            server-auth <span>in Next.js</span>
          </Link>
          {session ? (
            <form action={leave}>
              <span className="person">{session.user?.name}</span>
              <button className="quiet" type="submit">
                Sign out
              </button>
            </form>
          ) : (
            <Link href="/sign-in">Sign in</Link>
          )}
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}
