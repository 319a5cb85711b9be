/** The application of `app.ts` with the published helper for passkeys. */
import { signIn } from 'next-auth/webauthn'
import { createRoot } from 'react-dom/client'
import { signOut } from '../../../lib/client/react.js'
import { application } from './app.js'

declare global {
  interface Window {
    published: { signIn: typeof signIn; signOut: typeof signOut }
  }
}

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the application')
createRoot(place).render(application({ provider: { basePath: '/auth' } }))
window.published = { signIn, signOut }
