/** The application of `app.ts` in a browser: over what the server rendered, or in an empty page. */
import { createRoot, hydrateRoot } from 'react-dom/client'
import { getCsrfToken, getProviders, getSession, signIn, signOut } from '../../../lib/client/react.js'
import { type AppProps, application } from './app.js'

declare global {
  interface Window {
    /** The functions that both clients have. */
    client: typeof client
    /** Renders the application again. */
    render(props: AppProps): void
    /** Unmounts the application. */
    unrender(): void
  }
}

const client = { getCsrfToken, getProviders, getSession, signIn, signOut }
const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the application')
const props: AppProps = JSON.parse(document.getElementById('props')?.textContent ?? '{}')
globalThis.seen = []
const isHydrated = place.firstChild !== null
const root = isHydrated ? hydrateRoot(place, application(props)) : createRoot(place)
if (!isHydrated) root.render(application(props))
window.client = client
window.render = (changed) => root.render(application(changed))
window.unrender = () => root.render(null)
