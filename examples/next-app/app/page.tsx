import Link from 'next/link'
import { auth } from '../auth'

const places = [
  ['/account', 'Account', 'guarded in proxy.ts'],
  ['/members', 'Members', 'guarded in the page'],
  ['/settings', 'Settings', 'a client component, and ways to change the session'],
  ['/server-side', 'Server-side props', 'a page of the Pages Router'],
  ['/api/me', '/api/me', 'a route handler'],
  ['/api/whoami', '/api/whoami', 'an API route of the Pages Router'],
] as const

/** A public page that knows who is there. */
export default async function Home() {
  const session = await auth()
  return (
    <>
      <h1>{session ? `Hello ${session.user?.name}` : 'Hello stranger'}</h1>
      <p className="hint">Each of these places learns in its own way who you are.</p>
      <ul className="places">
        {places.map(([path, name, how]) => (
          <li key={path}>
            {/* Without prefetching: what a guard answers must not be kept for later. */}
            <Link href={path} prefetch={false}>
              {name}
            </Link>
            <span className="hint">{how}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
