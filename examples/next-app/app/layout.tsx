import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import './globals.css'
import { auth, signOut } from '../auth'

export const metadata: Metadata = { title: 'server-auth in Next.js' }

/** Who is signed in stands on every page: a server component asks for it. */
export default async function Layout({ children }: { children: ReactNode }) {
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
