/** Forms that a script submits: with the CSRF token, and answered with the URL to go on to. */
import { ask, ClientError, fieldsOf } from './ask.js'
import { endpoint } from './base-path.js'
import { webUrl } from './page.js'

/**
 * The CSRF token that POSTs of this browser carry. Empty where the server has switched the check off.
 *
 * @throws {@link ClientError} when the server cannot be asked.
 */
export async function getCsrfToken(): Promise<string> {
  try {
    const { data } = await ask('csrf')
    return String(fieldsOf(data).csrfToken)
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return ''
    throw error
  }
}

/** Where a form leads. */
export interface Outcome {
  readonly status: number
  readonly url: string
  /** Type of the error, where it leads to a page that tells about one. */
  readonly error?: string | undefined
  readonly code?: string | undefined
}

/** Submits a form. Refusals stand in the query of the URL. @throws {@link ClientError} */
export async function submit(path: string, callbackUrl: string, fields: object = {}): Promise<Outcome> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const body = new URLSearchParams(entries)
  body.set('csrfToken', await getCsrfToken())
  body.set('callbackUrl', callbackUrl)
  const { data, status } = await ask(path, { body, headers: { 'x-auth-return-redirect': '1' } })
  const url = webUrl(fieldsOf(data).url)
  if (!url) throw new ClientError(`${endpoint(path)} answered with no URL`, 'UnexpectedAnswer', status)
  const { href, searchParams } = url
  // The page to return to may have an `error` of its own in its query.
  if (href === webUrl(callbackUrl)?.href) return { status, url: href }
  return {
    status,
    url: href,
    error: searchParams.get('error') ?? undefined,
    code: searchParams.get('code') ?? undefined,
  }
}
