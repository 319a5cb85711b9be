/** The program of the guide to user directories, with organizations, users and a name server. Needs `npm run build`. */
import { expect } from 'chai'
import request from 'supertest'
import { type DnsServer, startDnsServer } from '../support/dns-server.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { filesIn, type RunningProgram, remove, start, unpack, write } from './guide-code.js'

/** Adds routes to the program: a sign-in, and calls of functions for the signed-in user. */
const harness = `import { app } from './app.js'
import { auth } from './auth.js'
import { adapter } from './database.js'
import { remove } from './directory.js'

app.get('/test/overtake', (req, res) => {
  const { organization, id } = req.query as Record<string, string>
  const functions: { admit: typeof auth.organizations.admit } = auth.organizations
  const { admit } = functions
  functions.admit = async (member) => {
    functions.admit = admit
    await remove(organization, id)
    return admit(member)
  }
  res.json({})
})
app.get('/test/sign-in', async (req, res) => {
  const user = { email: String(req.query.email), emailVerified: true } as const
  res.json(await auth.startSession(req, res, { user, amr: ['otp'] }))
})
app.get('/test/create', async (req, res) => res.json(await auth.organizations.create(req, { name: String(req.query.name) })))
app.get('/test/admit', async (req, res) => {
  const { organization, userId, role } = req.query as Record<string, string>
  res.json(await auth.organizations.admit({ organization, userId, role }))
})
app.get('/test/remove', async (req, res) => {
  const { organization, userId } = req.query as Record<string, string>
  res.json(await auth.organizations.removeMember(req, { organization, userId }))
})
app.get('/test/key', async (req, res) => {
  const { organization } = req.query as Record<string, string | undefined>
  res.json(await auth.apiKeys.create(req, { name: 'Test', scopes: [req.query.scope as 'scim'], organization }))
})
app.get('/test/revoke', async (req, res) => res.json(await auth.apiKeys.revoke(req, String(req.query.id))))
app.get('/test/use-key', auth.requireSession({ apiKey: 'notes', live: true }), (_req, res) => void res.json({}))
app.get('/test/use-key/:org', auth.requireSession({ apiKey: 'notes', live: true, organization: (req) => req.params.org }), (_req, res) => void res.json({}))
app.get('/test/user', async (req, res) => {
  const user = await adapter.getUserByEmail(String(req.query.email))
  res.json(user && (await auth.users.get(user.id)))
})
app.get('/test/connect', async (req, res) => {
  const { organization, issuer, clientId, clientSecret } = req.query as Record<string, string>
  const made = await auth.connections.create(req, { organization, name: 'Acme', issuer, clientId, clientSecret })
  if (made.ok) await auth.connections.set(req, made.id, { state: 'on' })
  res.json(made)
})
app.get('/test/move', async (req, res) => {
  const { id: userId, email } = req.query as Record<string, string>
  res.json(await auth.users.update({ userId, email, emailVerified: true }, req))
})
app.get('/test/unverified', async (req, res) => {
  res.json(await auth.users.create({ email: String(req.query.email), emailVerified: false }))
})
await import('./server.js')
`

/** A user of the identity provider of Acme. */
export const employee = { login: 'bea', sub: 'bea-sub', name: 'Bea', email: 'bea@acme.example' }

/** A user in a browser. */
export interface Person {
  readonly id: string
  readonly email: string
  /** Calls a route of the harness. */
  call(name: string, query?: Readonly<Record<string, string>>): Promise<Record<string, unknown> & { ok?: boolean }>
  /** Returns the status of a page. */
  status(path: string, headers?: Readonly<Record<string, string>>): Promise<number>
  readonly agent: ReturnType<typeof request.agent>
}

/** A request of a directory. */
export type ScimRequest = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object | string,
) => Promise<request.Response>

/** An organization with a directory. */
export interface Company {
  readonly id: string
  readonly domain: string
  readonly owner: Person
  readonly token: string
  readonly scim: ScimRequest
}

/** The program. */
export interface DirectoryStage {
  readonly app: RunningProgram
  readonly idp: OpenIdProvider
  readonly dns: DnsServer
  readonly folder: string
  signIn(email: string): Promise<Person>
  /** Returns the requests with a key. */
  scimWith(token?: string): ScimRequest
  /** Creates an organization with a verified domain, and the key of its directory. */
  company(name: string): Promise<Company>
  close(): Promise<void>
}

/** Starts the program of the guide with a strategy of sessions. */
export async function openDirectory(strategy: 'jwt' | 'database'): Promise<DirectoryStage> {
  const folder = unpack('guides/directory.md')
  // Pages of the guide have one scope. Other keys need another one.
  const auth = filesIn('guides/directory.md').get('auth.ts') ?? ''
  write(folder, 'auth.ts', auth.replace("'database'", `'${strategy}'`).replace("['scim']", "['scim', 'notes']"))
  write(folder, 'harness.ts', harness)
  const dns = await startDnsServer()
  const idp = await startOpenIdProvider({ accounts: [employee], host: '127.0.0.1' })
  const env = {
    SMTP_URL: 'smtp://127.0.0.1:9',
    DATABASE_URL: ':memory:',
    NAME_SERVERS: dns.address,
    PRIVATE_ORIGINS: idp.issuer,
  }
  const app = await start(folder, 'harness.ts', env)
  const signIn = async (email: string): Promise<Person> => {
    const agent = request.agent(app.origin)
    await agent.get('/test/sign-in').query({ email }).expect(200)
    const { id } = (await agent.get('/auth/session')).body.user
    return {
      ...{ id, email, agent },
      call: async (name, query = {}) => (await agent.get(`/test/${name}`).query(query).expect(200)).body,
      status: async (path, headers = {}) =>
        (await agent.get(path).set({ Accept: 'application/json', ...headers })).status,
    }
  }
  const scimWith = (token?: string): ScimRequest => {
    return async (method, path, body) => {
      const asked = request(app.origin)[method](`/scim/v2${path}`)
      if (token !== undefined) asked.set('Authorization', `Bearer ${token}`)
      return body === undefined ? asked : asked.set('Content-Type', 'application/scim+json').send(body)
    }
  }
  const company = async (name: string): Promise<Company> => {
    const owner = await signIn(`owner@${name}.example`)
    const created = await owner.call('create', { name })
    const { id } = created.organization as { id: string }
    const { csrfToken } = (await owner.agent.get('/auth/csrf')).body
    const post = (path: string, fields: object) =>
      owner.agent
        .post(`/o/${id}/${path}`)
        .type('form')
        .send({ csrfToken, ...fields })
    const domain = `${name}.example`
    const { record } = (await post('domains', { domain }).expect(200)).body
    dns.names.set(record.name, { txt: [[record.value]] })
    expect((await post('domains', { domain })).body).to.deep.equal({ ok: true })
    const { token, url } = (await post('directory', {}).expect(201)).body
    expect(url).to.equal(`${app.origin}/scim/v2`)
    return { id, domain, owner, token, scim: scimWith(token) }
  }
  return {
    ...{ app, idp, dns, folder, signIn, scimWith, company },
    async close() {
      await Promise.all([app.close(), dns.close(), idp.close()])
      remove(folder)
    },
  }
}

/** Returns a user as a directory sends it. */
export function scimUser(email: string, more: object = {}) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: email,
    name: { givenName: 'Bob', familyName: 'Smith' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Bob Smith',
    externalId: `ext-${email}`,
    active: true,
    ...more,
  }
}

/** Returns the body of a PATCH request. */
export const operations = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

/** Checks an error of SCIM. */
export function expectError({ status, body, headers }: request.Response, expected: number): void {
  expect(status, JSON.stringify(body)).to.equal(expected)
  expect(headers['content-type']).to.match(/^application\/scim\+json/)
  expect(body.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:Error'])
  expect(body.status).to.equal(String(expected))
  expect(body.detail).to.be.a('string').and.not.equal('')
}
