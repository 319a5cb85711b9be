/** A browser without scripts, with which the demo opens pages and sends forms as a user does. */

/** An answer of the application. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
  /** The URL to which it leads: a redirect, or a page that continues by itself. */
  readonly to: string | undefined
}

export class Visitor {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Opens a page of the application, and follows redirects within it. */
  async open(path: string): Promise<Page> {
    const page = await this.#request(path)
    return page.to?.startsWith(this.#origin) ? this.open(page.to) : page
  }

  /** Sends a form, and follows redirects within the application. @throws Error if the form is rejected. */
  async send(path: string, fields: Readonly<Record<string, string>>): Promise<Page> {
    const { csrfToken } = JSON.parse((await this.#request('/auth/csrf')).text)
    const body = new URLSearchParams({ csrfToken, navigation: 'form', ...fields })
    const page = await this.#request(path, { method: 'POST', body })
    const reached = page.to?.startsWith(this.#origin) ? await this.open(page.to) : page
    const problem = /role="alert"[^>]*>([^<]*)/.exec(reached.text)?.[1]
    if (reached.status < 400 && !problem) return reached
    throw new Error(`The form of ${path} was rejected with ${reached.status}: ${problem ?? reached.text.slice(0, 500)}`)
  }

  async #request(path: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(path, this.#origin)
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', cookie }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const refresh = response.headers.get('refresh')?.replace(/^0;\s*url=/i, '')
    const to = response.headers.get('location') ?? refresh
    return { url, status: response.status, text: await response.text(), to: to ? new URL(to, url).href : undefined }
  }
}
