/** The pages of the provider for tests: the choice of a user, and errors. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Html, html, raw } from '../pages/html.js'

/** A user of the provider. All members except `sub` are claims. */
export interface ProviderUser {
  /** The subject identifier, which never changes (OpenID Connect Core §2). */
  readonly sub: string
  /** The full name (claim `name`). */
  readonly name?: string
  /** The email address (claim `email`). */
  readonly email?: string
  /** True if the email address is verified (claim `email_verified`). */
  readonly email_verified?: boolean
  readonly [claim: string]: unknown
}

/** Renders one button for each user, with the accessible name `Alice (alice@example.com)`, and one to cancel. */
export function loginPage(users: readonly ProviderUser[]): string {
  const buttons = users.map(({ sub, name, email }) => {
    const also = email ?? (name === undefined ? undefined : sub)
    return html`<button name="sub" value="${sub}">${name ?? sub}${also === undefined ? undefined : ` (${also})`}</button>`
  })
  return renderProviderPage(
    'Who are you?',
    html`<p>This provider is for tests. Nobody has a password here.</p>
<form method="post">${buttons}<button name="cancel" value="yes">Cancel</button></form>`,
  )
}

export function errorPage(text: string): string {
  return renderProviderPage('The provider refuses', html`<p>${text}</p>`)
}

const style = raw(`<style>
:root { color-scheme: light dark }
body { margin: 12vh auto 0; max-width: 24rem; padding: 0 1.25rem; font: 1rem/1.5 system-ui, sans-serif }
button { display: block; width: 100%; margin: 0 0 .7rem; padding: .7rem 1rem; text-align: left; font: inherit }
</style>`)

function renderProviderPage(title: string, body: Html): string {
  return `${html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Provider for tests</title>
<link rel="icon" href="data:,">
${style}
<main><h1>${title}</h1>
${body}</main>
</html>`}`
}

export function sendPage(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
  response.end(text)
}

/** Reads a submitted form. */
export async function readFormBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
