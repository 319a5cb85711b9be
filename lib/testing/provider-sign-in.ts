/** Signs a user in at the provider for tests, without a browser. */
import { isUrl } from '../base/url.js'

/** The maximum number of steps, more than any sign-in has. */
const maxSteps = 20

/**
 * Opens a page of the provider, follows its redirects, chooses a user, and stops at a URL outside of the provider.
 *
 * @throws Error if the provider shows another page, or the URL is not one of its own.
 */
export async function signInAtProvider(issuer: string, from: string, sub: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = isUrl(from) ? from : ''
  if (!url.startsWith(`${issuer}/`)) {
    throw new Error(`signIn needs the URL at ${issuer} that your application sends the browser to, not "${from}".`)
  }
  let form: URLSearchParams | undefined
  for (let step = 0; step < maxSteps; step += 1) {
    if (new URL(url).origin !== issuer) return url
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    storeCookies(cookies, response.headers.getSetCookie())
    const location = response.headers.get('location')
    const text = await response.text()
    if (location !== null) {
      form = undefined
      url = new URL(location, url).href
    } else if (response.status === 200 && new URL(url).pathname.startsWith('/interaction/')) {
      form = new URLSearchParams({ sub })
    } else {
      throw new Error(`The provider answered ${response.status}: ${/<main>(.*)<\/main>/s.exec(text)?.[1] ?? text}`)
    }
  }
  throw new Error('The provider never sent the browser back.')
}

function storeCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}
