/**
 * A real OpenID provider inside the example, so that you can try a sign-in without registering anywhere.
 * It has its own port and its own login page; the application talks to it as it would to any other.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Configuration } from 'oidc-provider'
import type { Ways } from '../src/auth.js'
import { listen } from './server.js'

/** A user of the provider. */
interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

export const people: readonly Person[] = [
  { id: 'alice', name: 'Alice Liddell', email: 'alice@example.com' },
  { id: 'bob', name: 'Bob Builder', email: 'bob@example.com' },
  { id: 'carol', name: 'Carol Danvers', email: 'carol@example.com' },
]

export interface DemoProvider {
  readonly issuer: string
  /** The settings for `createAuthConfig`. */
  readonly settings: Ways['openId']
  close(): Promise<void>
}

/** Starts the provider. `redirectUris` are the callback URLs of the application, as one registers them anywhere. */
export async function startDemoProvider(port: number, redirectUris: readonly string[]): Promise<DemoProvider> {
  const { Provider, interactionPolicy } = await withoutWarnings(() => import('oidc-provider'))
  const client = { clientId: 'express-app', clientSecret: randomBytes(32).toString('base64url') }

  const server = await listen((request, response) => serve(request, response), port, '127.0.0.1')
  // The application is opened as localhost. Another host name keeps the cookies of the two apart.
  const issuer = `http://127.0.0.1:${server.port}`

  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  policy
    .get('login')
    ?.checks.add(new Check('always_ask', 'choose who you are', 'login_required', ({ oidc }) => !oidc.result?.login))

  const configuration: Configuration = {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [...redirectUris] }],
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    responseTypes: ['code'],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // Name and address are in the id_token too, as large providers do it.
    conformIdTokenClaims: false,
    jwks: { keys: [createKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
    findAccount(_context, id) {
      const person = people.find((each) => each.id === id)
      if (!person) return undefined
      const claims = { sub: id, name: person.name, email: person.email, email_verified: true }
      return { accountId: id, claims: () => claims }
    },
    // Users are not asked whether the application may know name and address, because it belongs to the provider.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    renderError(context, { error, error_description: description }) {
      context.type = 'html'
      context.body = page('This did not work', `<p>${escapeHtml(description ?? error)}</p>`)
    },
  }
  const provider = await withoutWarnings(() => new Provider(issuer, configuration))
  const handle = provider.callback()

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    login(request, response).catch((error) => {
      console.error(error)
      sendPage(response, 400, page('This did not work', '<p>Please start again at the application.</p>'))
    })
  }

  /** Answers GET with the list of users, and POST by choosing one. */
  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionDetails(request, response)
    if (request.method === 'GET') return sendPage(response, 200, loginPage)
    const form = new URLSearchParams(await readBody(request))
    const person = people.find(({ id }) => id === form.get('person'))
    const result = person
      ? { login: { accountId: person.id, remember: false } }
      : { error: 'access_denied', error_description: 'The user pressed Cancel.' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  return { issuer, settings: { name: 'Demo provider', issuer, ...client }, close: server.close }
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kty: 'RSA', ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
  response.end(html)
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Demo provider</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; }
  body { margin: 12vh auto 0; max-width: 24rem; padding: 0 1.25rem; font: 1rem/1.5 system-ui, sans-serif;
    background: light-dark(#f3efe7, #1c1a17); color: light-dark(#2a2520, #efe9df); }
  h1 { font-size: 1.4rem; margin: 0; }
  p { color: light-dark(#6c6257, #b3a898); margin: 0.3rem 0 1.4rem; }
  button { display: block; width: 100%; margin: 0 0 0.7rem; padding: 0.7rem 1rem; text-align: left; font: inherit;
    border: 1px solid light-dark(#d9d0c1, #443f37); border-radius: 10px; cursor: pointer;
    background: light-dark(#fff, #282520); color: inherit; }
  button:hover { border-color: #b5651d; }
  button:focus-visible { outline: 3px solid #b5651d; outline-offset: 2px; }
  button span { display: block; font-size: 0.9rem; color: light-dark(#6c6257, #b3a898); }
  .quiet { border-color: transparent; background: none; text-align: center; }
</style>
<h1>${title}</h1>
${body}
</html>`
}

const loginPage = page(
  'Who are you?',
  `<p>This is the demo provider. Nobody has a password here.</p>
<form method="post">
${people.map(({ id, name, email }) => `<button name="person" value="${id}">${name}<span>${email}</span></button>`).join('\n')}
<button class="quiet" name="cancel" value="yes">Cancel</button>
</form>`,
)

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** `oidc-provider` warns that this is not for production, and about Node 20. Neither matters in an example. */
async function withoutWarnings<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider WARNING')) warn(...words)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
