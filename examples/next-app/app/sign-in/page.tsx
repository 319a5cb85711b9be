import { redirect } from 'next/navigation'
import { AuthError, CredentialsSignin } from 'server-auth/next'
import { openIdName, signIn } from '../../auth'

type SearchParams = Promise<{ callbackUrl?: string; error?: string; code?: string }>

/** A custom sign-in page. `callbackUrl` is the page that the user asked for. Pass it on: `signIn` checks it. */
export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { callbackUrl = '/', error } = await searchParams
  return (
    <>
      <h1>Sign in</h1>
      {error && <p role="alert">{messages.get(error) ?? 'That did not work. Please try again.'}</p>}
      <form action={signInWithPassword} className="sheet">
        <input name="redirectTo" type="hidden" value={callbackUrl} />
        <label>
          User name
          <input autoComplete="username" name="username" required />
        </label>
        <label>
          Password
          <input autoComplete="current-password" name="password" required type="password" />
        </label>
        <button type="submit">Sign in</button>
      </form>
      <p className="hint">Try demo / demo, or grace / grace.</p>
      {process.env.AUTH_OIDC_ISSUER && (
        <form action={signInWithOpenId} className="other">
          <input name="redirectTo" type="hidden" value={callbackUrl} />
          <button className="quiet" type="submit">
            Sign in with {openIdName()}
          </button>
        </form>
      )}
    </>
  )
}

const messages = new Map([
  ['CredentialsSignin', 'The user name or the password is wrong.'],
  ['SessionRequired', 'Please sign in to see this page.'],
])

async function signInWithPassword(form: FormData) {
  'use server'
  await orTell(form, () => signIn('credentials', form))
}

async function signInWithOpenId(form: FormData) {
  'use server'
  await orTell(form, () => signIn('oidc', form))
}

/** Shows errors of the sign-in on this page. Any other error, a redirect too, must be thrown again. */
async function orTell(form: FormData, attempt: () => Promise<never>): Promise<never> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const params = new URLSearchParams({ error: error.type, callbackUrl: String(form.get('redirectTo')) })
    if (error instanceof CredentialsSignin) params.set('code', error.code)
    redirect(`/sign-in?${params}`)
  }
}
