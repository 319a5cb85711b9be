/**
 * The two customers of the demo. They are made on the pages of the application, as users do it. The demo writes
 * nothing to the database directly.
 */
import type { TestOpenIdProvider } from 'server-auth/testing'
import { codeOf } from './authenticator.js'
import type { Mailbox } from './mailbox.js'
import { Visitor } from './visitor.js'

/** The password of all users of the demo. */
export const password = 'correct horse battery staple'

/** The users of Acme's identity provider. */
export const employees = ['ann', 'alice', 'carl'].map((sub) => ({
  sub,
  name: sub.replace(/^./, (first) => first.toUpperCase()),
  email: `${sub}@acme.example`,
  email_verified: true,
}))

export interface Surroundings {
  readonly origin: string
  readonly mailbox: Mailbox
  /** The identity provider of Acme. */
  readonly provider: TestOpenIdProvider
}

/** Creates both customers. Returns the key of Ann's authenticator app. */
export async function createCustomers(surroundings: Surroundings): Promise<string> {
  await createBeta(surroundings)
  return createAcme(surroundings)
}

/** Beta has passwords: Bea is the owner, and Ben a member. */
async function createBeta(surroundings: Surroundings): Promise<void> {
  const { visitor: bea, organization } = await createOrganization(surroundings, 'bea@beta.example', 'Beta')
  await join(surroundings, { owner: bea, organization, email: 'ben@beta.example' })
}

/**
 * Acme has an identity provider, which is required. Ann, the owner, is exempt. Carl has a password from the time before.
 */
async function createAcme(surroundings: Surroundings): Promise<string> {
  const { provider } = surroundings
  const { visitor: ann, organization } = await createOrganization(surroundings, 'ann@acme.example', 'Acme')
  await join(surroundings, { owner: ann, organization, email: 'carl@acme.example' })

  const page = `${organization}/single-sign-on`
  const { text } = await ann.open(`${page}?domain=acme.example`)
  const [, name = ''] = /<code>(_server-auth[^<]+)/.exec(text) ?? []
  const [, value = ''] = /<code>(server-auth=[^<]+)/.exec(text) ?? []
  await ann.send('/demo/dns', { name, value })
  await ann.send(`${page}/verify`, { domain: 'acme.example' })

  await ann.send(`${page}/create`, { name: 'Acme', ...provider.settings })
  const [, id = ''] = /name="id" value="(connection-[^"]+)/.exec((await ann.open(page)).text) ?? []
  await ann.send(`${page}/state`, { id, state: 'on' })
  const begun = await ann.send(`/auth/signin/${id}`, { callbackUrl: page })
  await ann.open(await provider.signIn(begun.to ?? '', 'ann'))

  const key = await addAuthenticator(ann)
  const [, owner = ''] = /name="exempt" value="([^"]+)/.exec((await ann.open(page)).text) ?? []
  await ann.send(`${page}/policy`, { id, policy: 'required', exempt: owner })
  return key
}

/** Signs a user up, who creates an organization. Returns the path of the organization. */
async function createOrganization(surroundings: Surroundings, email: string, name: string) {
  const visitor = await signUp(surroundings, email)
  const { url } = await visitor.send('/organizations', { name })
  return { visitor, organization: url.pathname }
}

async function signUp({ origin, mailbox }: Surroundings, email: string): Promise<Visitor> {
  const visitor = new Visitor(origin)
  await visitor.send('/auth/signup/password', { email, password })
  const token = new URL(await mailbox.nextLink(email)).searchParams.get('token') ?? ''
  await visitor.send('/auth/password/verify', { token })
  return visitor
}

interface Invited {
  readonly owner: Visitor
  readonly organization: string
  readonly email: string
}

/** Signs a user up, and lets the owner invite them. */
async function join(surroundings: Surroundings, { owner, organization, email }: Invited): Promise<void> {
  const visitor = await signUp(surroundings, email)
  await owner.send(`${organization}/members/invite`, { email, role: 'member' })
  const link = await surroundings.mailbox.nextLink(email)
  await visitor.send('/auth/invitation', { token: new URL(link).searchParams.get('token') ?? '' })
}

/** Adds an authenticator app. Returns its key. */
async function addAuthenticator(visitor: Visitor): Promise<string> {
  const { text } = await visitor.open('/auth/two-factor/totp?setup')
  const [, key = ''] = /<code dir="ltr">([^<]+)/.exec(text) ?? []
  const [, setup = ''] = /name="setup" value="([^"]+)/.exec(text) ?? []
  // The code of the previous period is accepted too. A code works once, and the user of the demo needs the current one.
  const code = codeOf(key, Date.now() - 30_000)
  await visitor.send('/auth/two-factor/totp?setup', { intent: 'setup', setup, code })
  return key
}
