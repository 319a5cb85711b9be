/** Functions by which tests read and set session cookies. */

import { decode, encode, type JWT } from '../../lib/jwt.js'
import { type Browser, secret, setCookies } from './app.js'
import type { Answer } from './http-browser.js'

/** The session cookie's name on http. */
export const sessionName = 'auth.session-token'

/** The `Set-Cookie` lines of a response for a cookie and its chunks. */
export function cookieLines(response: Answer, name = sessionName): string[] {
  return setCookies(response).filter((line) => {
    const written = line.slice(0, line.indexOf('='))
    return written === name || (written.startsWith(`${name}.`) && /^\d+$/.test(written.slice(name.length + 1)))
  })
}

/** Puts a session into the browser as if it had signed in. Returns the token. */
export async function plantSession(
  browser: Browser,
  token: JWT = { sub: 'ann', name: 'ann' },
  options: { secret?: string; maxAge?: number; name?: string } = {},
): Promise<string> {
  const { name = sessionName, ...others } = options
  const text = await encode({ token, secret, salt: name, ...others })
  plant(browser, text, name)
  return text
}

/** Puts a value into the browser, in chunks where it is long. */
export function plant(browser: Browser, value: string, name = sessionName): void {
  if (value.length <= 3936) {
    browser.cookies.set(name, value)
    return
  }
  for (let at = 0; at * 3936 < value.length; at += 1) {
    browser.cookies.set(`${name}.${at}`, value.slice(at * 3936, (at + 1) * 3936))
  }
}

/** The text of the session token that the browser holds. */
export function heldToken(browser: Browser, name = sessionName): string {
  const whole = browser.cookies.get(name)
  if (whole !== undefined) return whole
  let text = ''
  for (let at = 0; browser.cookies.has(`${name}.${at}`); at += 1) text += browser.cookies.get(`${name}.${at}`)
  return text
}

/** The payload of the session token that the browser holds. */
export function heldSession(browser: Browser, name = sessionName): Promise<JWT | null> {
  return decode({ token: heldToken(browser, name), secret, salt: name })
}

/** Names of the session cookies that the browser holds. */
export function heldNames(browser: Browser, name = sessionName): string[] {
  return [...browser.cookies.keys()].filter((each) => each.startsWith(name))
}
