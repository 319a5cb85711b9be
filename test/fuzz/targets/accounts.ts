/** The pages on which users choose an organization, delete their account, and continue to an app. */
import fc from 'fast-check'
import { shortHash } from '../../../lib/crypto/hash.js'
import type { OrganizationsOptions } from '../../../lib/features/organizations/types.js'
import { target } from '../explore.js'
import { bend, bent, edited, edits, type Fields, mostly, seldom, text } from '../hostile.js'
import { base, type Site } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { headerValues, type WireAnswer } from '../wire.js'
import { fieldsOf, queryOf } from './shared.js'

/** The proof that a form is one of the site. `nothing`: the token, sent by a page of another site. */
const proofs = mostly<'headers' | 'token' | 'nothing'>('token', 'headers', 'nothing')

/** Returns the field with the token. With the headers of a browser it is not needed, and any other value is rejected. */
function tokenOf(proof: string, csrfToken: string): Fields {
  return proof === 'headers' ? [] : [['csrfToken', csrfToken]]
}

/** Checks whether a form proves that it is one of the site. */
function isOwn(proof: string, fields: Fields, csrfToken: string): boolean {
  return proof === 'headers' || (proof === 'token' && fields.some(([, value]) => value.trim() === csrfToken))
}

/** Sends a form, with the fields after the changes. */
async function sendForm(person: Stranger, path: string, fields: Fields, proof: string): Promise<WireAnswer> {
  const headers = [
    ...(proof === 'headers' ? person.own : []),
    ...(proof === 'nothing' ? [['origin', 'http://other.test'] as const] : []),
    ['content-type', 'application/x-www-form-urlencoded'] as const,
  ]
  return person.send({ method: 'POST', target: base + path, headers, body: `${queryOf(fields)}` })
}

async function csrfTokenOf(person: Stranger): Promise<string> {
  return JSON.parse((await person.get(`${base}/csrf`)).body).csrfToken
}

const own = 'org-of-ann'

/** The members of one organization. Records the calls. */
function organizationsOf(
  asked: string[][],
  entry: { readonly id: string; readonly name: string },
): OrganizationsOptions {
  return {
    roles: { member: [] },
    membership(userId, id) {
      asked.push([userId, id])
      return id === own ? { role: 'member' } : null
    },
    list: () => [{ id: own, name: 'Own' }, entry],
  }
}

/** The form of an organization. Only the user's own can be chosen, and the application is asked about ids only. */
export const organization = target(
  'organization',
  fc.record({
    changes: seldom(edits(['organization', 'organization', 'callbackUrl', 'csrfToken', '__proto__'])),
    id: seldom(bend(300)),
    entry: fc.record({ id: fc.constantFrom('other', '"><script>fuzz', '__proto__'), name: text(200) }),
    proof: proofs,
  }),
  async (site, { changes = [], id, entry, proof }) => {
    const asked: string[][] = []
    site.renew({ organizations: organizationsOf(asked, entry) })
    const person = new Stranger(site)
    await person.post('/callback/credentials', [
      ['username', 'ann'],
      ['password', 'right'],
    ])
    const csrfToken = await csrfTokenOf(person)
    const fields = edited(
      [...tokenOf(proof, csrfToken), ['organization', id ? bent(own, id) : own], ['callbackUrl', '/welcome']],
      changes,
    )
    const isNamed = entry.name.trim() !== ''
    asked.length = 0
    await person.get(`${base}/organization?${queryOf(fields)}`, isNamed ? {} : { faults: [500, 503] })
    if (asked.length > 0) throw new Violation('a page has chosen an organization')
    const { status } = await sendForm(person, '/organization', fields, proof)
    const isProved = isOwn(proof, fields, csrfToken)
    if (asked.length > 0 && !isProved) throw new Violation('another site has chosen an organization')
    if (asked.length > 1) throw new Violation(`${asked.length} questions about one form`)
    for (const [, named = ''] of asked) {
      if (named.length > 200 || /[\s\p{C}]/u.test(named)) throw new Violation(`an id ${JSON.stringify(named)}`)
    }
    // Other redirects lead to a page with the error.
    const isChosen = asked.length > 0 && (status === 302 || status === 303)
    if (isChosen && asked[0]?.[1] !== own) throw new Violation(`an organization of others: ${JSON.stringify(asked)}`)
    if (proof !== 'nothing' && changes.length === 0 && !id && !isChosen)
      throw new Violation(`the own one is refused: ${status}`)
  },
)

/** Signs a stored user in, by an email link. */
async function storedPerson(site: Site): Promise<Stranger> {
  const person = new Stranger(site)
  await person.post('/signin/email', [['email', 'person@example.com']])
  const [mail] = site.mails
  if (!mail) throw new Violation('no mail came')
  await person.post('/callback/email', fieldsOf(new URL(mail.url).searchParams))
  return person
}

/** The form that deletes an account. Without the proof of the own page, no user is deleted. */
export const deletion = target(
  'delete-account',
  fc.record({
    changes: seldom(edits(['csrfToken', 'userId', 'resume', 'reason', 'callbackUrl', '__proto__'])),
    query: seldom(edits(['userId', 'csrfToken', 'callbackUrl'])),
    proof: proofs,
  }),
  async (site, { changes = [], query = [], proof }) => {
    site.renew({ deletion: true, session: { strategy: site.strategy, revocation: true } })
    const stored = async () => (await site.config.adapter?.getUserByEmail?.('person@example.com')) ?? null
    const person = await storedPerson(site)
    await new Stranger(site).post('/delete-account')
    const csrfToken = await csrfTokenOf(person)
    const fields = edited(tokenOf(proof, csrfToken), changes)
    const search = `${queryOf(edited([['csrfToken', csrfToken]], query))}`
    await person.get(`${base}/delete-account?${search}`)
    if (!(await stored())) throw new Violation('a page or a visitor has deleted the account')
    const { status } = await sendForm(person, `/delete-account?${search}`, fields, proof)
    const isProved = isOwn(proof, fields, csrfToken)
    const isGone = (await stored()) === null
    if (isGone && !isProved) throw new Violation('another site has deleted the account')
    if (isGone !== (status === 200))
      throw new Violation(`status ${status}, and the user is ${isGone ? 'gone' : 'there'}`)
    if (proof !== 'nothing' && changes.length === 0 && !isGone)
      throw new Violation(`the user could not be deleted: ${status}`)
    if (isGone) await person.expectNobody('of a deleted user')
  },
)

const verifier = 'v'.repeat(43)
const loopback = 'http://127.0.0.1:49152/done'
const rightRequest: Fields = [
  ['app', 'cli'],
  ['redirect_uri', loopback],
  ['code_challenge', shortHash(verifier)],
  ['code_challenge_method', 'S256'],
  ['state', 'a-state-of-the-app'],
]

/** The requests of an app. Codes go to its redirect URL only, after the form of the page, and only its own fields get a token. */
export const app = target(
  'app',
  fc.record({
    query: seldom(edits([...rightRequest.map(([name]) => name), '__proto__'])),
    form: seldom(edits(['csrfToken', 'session', 'navigation', 'redirect_uri', '__proto__'])),
    exchange: seldom(edits(['app', 'code', 'code_verifier', 'redirect_uri', '__proto__'])),
    proof: proofs,
  }),
  async (site, { query = [], form = [], exchange = [], proof }) => {
    const session = { strategy: site.strategy, bearer: true, revocation: true }
    site.renew({ apps: { clients: { cli: { name: 'CLI', loopback: true } } }, session })
    const person = await storedPerson(site)
    const search = `${queryOf(edited(rightRequest, query))}`
    await new Stranger(site).get(`${base}/app?${search}`)
    const page = await person.get(`${base}/app?${search}`)
    const [, id = ''] = /name="session" value="([^"]*)"/.exec(page.body) ?? []
    const csrfToken = await csrfTokenOf(person)
    const fields = edited([...tokenOf(proof, csrfToken), ['session', id], ['navigation', 'form']], form)
    const answer = await sendForm(person, `/app?${search}`, fields, proof)
    const [to = ''] = [...headerValues(answer, 'refresh'), ...headerValues(answer, 'location')]
    const url = new URL(to.replace(/^0;url=/, ''), 'http://own.test')
    const code = url.searchParams.get('code')
    const isUnchanged = query.length === 0 && form.length === 0 && proof !== 'nothing'
    if (code === null && isUnchanged) throw new Violation(`the own request is refused: ${page.status} ${answer.status}`)
    if (code === null) return
    if (!isOwn(proof, fields, csrfToken)) throw new Violation('another site has approved an app')
    if (!/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\//.test(url.href)) throw new Violation(`a code for ${url.href}`)
    const right: Fields = [
      ['app', 'cli'],
      ['code', code],
      ['code_verifier', verifier],
      ['redirect_uri', url.origin + url.pathname],
    ]
    const sent = edited(right, exchange)
    const body = `${queryOf(sent)}`
    const headers = [['content-type', 'application/x-www-form-urlencoded'] as const]
    const stranger = new Stranger(site)
    const { status } = await stranger.send({ method: 'POST', target: `${base}/app-token`, headers, body })
    const isRight = right.every(([name, value]) => {
      const values = new URLSearchParams(body).getAll(name)
      return values.length === 1 && values[0] === value
    })
    if (status === 200 && !isRight) throw new Violation(`a token for ${body}`)
    if (status !== 200 && exchange.length === 0 && isUnchanged) throw new Violation(`no token for ${body}: ${status}`)
  },
)
