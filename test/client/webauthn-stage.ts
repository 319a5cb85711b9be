/**
 * The browser's side of passkeys by itself: a plain server that answers with fixed values, Chromium's virtual
 * authenticator, and a page with the client module in it.
 *
 * ```ts
 * const site = useSite()
 * const { page } = await open()
 * const authenticator = await addAuthenticator(page)
 * await page.goto(site.url('/auth/signin'))
 * site.asked       // queries of `webauthn-options`
 * site.posted      // forms that reached the callback
 * ```
 */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import express, { type Express, type Request, type Response } from 'express'
import type { Page } from 'playwright-core'
import type { PasskeyResult } from '../../lib/client/webauthn.js'
import { english } from '../../lib/config/site.js'
import { renderSignIn, type SignInEntry } from '../../lib/pages/index.js'
import type { CredentialInput } from '../../lib/types/provider-parts.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { type Device, type DeviceOptions, plugIn } from '../support/passkey-device.js'

type Fields = Readonly<Record<string, string | undefined>>

/** A handler that answers instead of an endpoint. */
type Answer = (request: Request, response: Response) => void

/** The stub server, and the requests that it received. */
export class Site {
  readonly asked: Fields[] = []
  readonly posted: Fields[] = []
  /** Headers of the forms. */
  readonly headers: Array<Request['headers']> = []
  entries: readonly SignInEntry[] = [passkeyEntry()]
  options: Answer | undefined
  callback: Answer | undefined
  csrf: Answer | undefined
  /** The passkeys that the options name: those that may answer, or those that exist already. */
  credentials: ReadonlyArray<{ id: string; type: 'public-key' }> = []
  permissions = ''
  readonly #server: LoopbackServer

  constructor(server: LoopbackServer) {
    this.#server = server
  }

  /** Returns a URL on `localhost`, which browsers treat as secure. */
  url(path: string, host = 'localhost'): string {
    return `http://${host}:${this.#server.port}${path}`
  }

  reset(): void {
    for (const list of [this.asked, this.posted, this.headers]) list.splice(0)
    this.entries = [passkeyEntry()]
    this.credentials = []
    this.permissions = ''
    this.options = this.callback = this.csrf = undefined
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}

/** The inputs of a provider that declares none. */
export const emailInput: Record<string, CredentialInput> = {
  email: {
    label: 'Email address',
    type: 'email',
    inputmode: 'email',
    autocomplete: 'username webauthn',
    placeholder: 'you@example.com',
    maxlength: 254,
  },
}

type PasskeyEntry = Extract<SignInEntry, { kind: 'passkey' }>

/** An entry of the sign-in page. */
export function passkeyEntry({ id = 'passkey', ...rest }: Partial<PasskeyEntry> = {}): PasskeyEntry {
  return {
    kind: 'passkey',
    id,
    name: 'Passkey',
    action: `/auth/callback/${id}`,
    optionsUrl: `/auth/webauthn-options/${id}`,
    inputs: emailInput,
    conditional: false,
    sendsEmail: false,
    ...rest,
  }
}

/** Starts a site before the suite, closes it after the suite, and resets it for each test. */
export function useSite(): Site {
  const started: Site[] = []
  before(async () => {
    const script = await bundleModule()
    const app = express()
    const site = new Site(await startLoopbackServer((request, response) => void app(request, response)))
    addEndpoints(app, site)
    addPages(app, site, script)
    started.push(site)
  })
  beforeEach(() => started[0]?.reset())
  after(async () => {
    await started[0]?.close()
  })
  return new Proxy({} as Site, {
    get(_target, name) {
      const [site] = started
      if (!site) throw new Error('the site is started in hooks: use it in tests only')
      const value: unknown = Reflect.get(site, name, site)
      return typeof value === 'function' ? value.bind(site) : value
    },
    set: (_target, name, value) => Reflect.set(started[0] ?? {}, name, value),
  })
}

const challenge = Buffer.from('a challenge of the tests').toString('base64url')

/** The paths of the endpoints. The last is the default in pages of Next.js. */
const mounts = ['/auth', '/elsewhere/auth', '/api/auth']

function addEndpoints(app: Express, site: Site): void {
  const router = express.Router()
  router.get('/webauthn-options/:id', (request, response) => {
    const query = Object.fromEntries(new URL(request.url, 'http://localhost').searchParams)
    site.asked.push({ url: request.baseUrl + request.path, ...query })
    if (site.options) return site.options(request, response)
    response.json({ action: query.action, options: optionsFor(query.action, site) })
  })
  router.get('/csrf', (request, response) => {
    if (site.csrf) return site.csrf(request, response)
    response.json({ csrfToken: 'a-token' })
  })
  router.post('/callback/:id', express.urlencoded({ extended: false }), (request, response) => {
    site.posted.push({ url: request.baseUrl + request.path, ...request.body })
    site.headers.push(request.headers)
    if (site.callback) return site.callback(request, response)
    const url = site.url('/done')
    if (request.headers['x-auth-return-redirect']) return void response.json({ url })
    response.redirect(303, url)
  })
  app.use(mounts, router)
}

/** Options as `@simplewebauthn/server` makes them. */
export function optionsFor(action: string | undefined, site: Pick<Site, 'credentials'>): object {
  if (action === 'authenticate') {
    return {
      challenge,
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: site.credentials,
      timeout: 60_000,
    }
  }
  return {
    challenge,
    rp: { id: 'localhost', name: 'The tests' },
    user: { id: Buffer.from('handle').toString('base64url'), name: 'ada@example.com', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: site.credentials,
    attestation: 'none',
    timeout: 60_000,
  }
}

const icon = '<link rel="icon" href="data:,">'

function addPages(app: Express, site: Site, script: string): void {
  app.get('/auth/signin', (request, response) => {
    const frame = { nonce: 'of-the-page', theme: {}, language: english, host: String(request.headers.host) }
    const query = new URL(request.url, 'http://localhost').searchParams
    const error = query.get('error') ?? undefined
    response.setHeader('content-security-policy', policy)
    response.setHeader('permissions-policy', site.permissions)
    response.send(
      renderSignIn({ frame, entries: site.entries, csrfToken: 'token', callbackUrl: '/done', ...(error && { error }) }),
    )
  })
  app.get('/module', (_request, response) => {
    response.setHeader('permissions-policy', site.permissions)
    response.send(`<!doctype html><html lang="en">${icon}<title>Module</title><h1>Module</h1>
<input autocomplete="username webauthn" aria-label="User name"><script>${script};${count}</script></html>`)
  })
  app.get('/done', (_request, response) => {
    response.send(`<!doctype html><html lang="en">${icon}<title>Done</title><h1>Done</h1></html>`)
  })
}

/** Counts the requests of the browser, so that a test can wait for them. */
const count = `window.requests = 0
for (const name of ['get', 'create']) {
  const ask = navigator.credentials[name].bind(navigator.credentials)
  navigator.credentials[name] = (options) => { window.requests += 1; return ask(options) }
}`

/** A policy as strict as the Router's, which allows only what the script of the page needs. */
const policy =
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self' data:; " +
  "connect-src 'self'; script-src 'nonce-of-the-page'; style-src 'nonce-of-the-page'"

/** `server-auth/client/webauthn` as a global, the way an application's bundler would take it. */
async function bundleModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../lib/client/webauthn.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'passkeys',
    minify: true,
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('')
}

/* ---- the authenticator -------------------------------------------------------------------------------------- */

/** Chromium's virtual authenticator. */
export class Authenticator {
  readonly #device: Device

  constructor(device: Device) {
    this.#device = device
  }

  /** Puts a passkey into it. @returns The id of the passkey, in base64url. */
  async addPasskey(): Promise<string> {
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
    await this.#device.keep({
      credentialId: id.toString('base64'),
      isResidentCredential: true,
      rpId: 'localhost',
      userHandle: Buffer.from('handle').toString('base64'),
      privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64'),
      signCount: 1,
    })
    return id.toString('base64url')
  }

  async passkeys(): Promise<number> {
    return (await this.#device.passkeys()).length
  }

  /** Sets whether the user touches the authenticator from now on, and whether it recognises them. */
  async set({ present, verified }: { present?: boolean; verified?: boolean }): Promise<void> {
    if (present !== undefined) await this.#device.touch(present)
    if (verified !== undefined) await this.#device.recognise(verified)
  }
}

/** Gives the page an authenticator. Without options its user is present and agrees to all. */
export async function addAuthenticator(page: Page, options?: DeviceOptions): Promise<Authenticator> {
  return new Authenticator(await plugIn(page, options))
}

/* ---- the module --------------------------------------------------------------------------------------------- */

/** Calls a function of the module in the page. Returns its result without `cause`, which is for developers. */
export async function call(page: Page, name: string, options: object = {}): Promise<PasskeyResult> {
  return page.evaluate(
    async ([name, options]) => {
      const { cause, ...result } = await Reflect.get(Reflect.get(window, 'passkeys'), name)(options)
      return result
    },
    [name, options] as const,
  )
}

/** Calls a function without waiting for it; the page keeps the result as `begun`. */
export async function begin(page: Page, name: string, options: object = {}): Promise<void> {
  await page.evaluate(
    ([name, options]) => {
      Reflect.set(window, 'begun', Reflect.get(Reflect.get(window, 'passkeys'), name)(options))
    },
    [name, options] as const,
  )
}
