/** The names of tenants: those under which values are stored, and those of hosts. */
import { expect } from 'chai'
import fc from 'fast-check'
import { hashSessionToken, type SessionToken } from '../../lib/crypto/session-token.js'
import { fetchTenantRequest, NodeTenantRequest, normalizeHost } from '../../lib/tenants/host.js'
import { createScope, type TenantScope } from '../../lib/tenants/scope.js'
import { text } from '../fuzz/hostile.js'
import { properties } from './runs.js'

const shared = ['google', 'github']
/** Ids of tenants. Some begin like another one, or like a provider. */
const tenantIds = fc.oneof(
  fc.constantFrom('a', 'a-', 'a_', 'aa', 'acme', 'acme-google', 'google', 'h1_'),
  fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/),
)
const pairs = fc.uniqueArray(tenantIds, { minLength: 2, maxLength: 2 })
/** Provider ids: words without `~` are those that every tenant may have. */
const providerIds = fc.oneof(
  fc.constantFrom(...shared, 'okta', 'acme', 'acme~okta', 'a~google', '~', '-google'),
  fc.stringMatching(/^\S{1,30}$/),
)
/** The token of a cookie, as it is stored: 67 characters, often with metadata. */
const tokens = fc
  .tuple(fc.stringMatching(/^[\w-]{43}$/), fc.constantFrom('', '.ft1', `.f${'dDEK'.repeat(40)}`))
  .map(([random, metadata]) => hashSessionToken((random + metadata) as SessionToken))

/** The pairs of functions that put the tenant into a name, and take it out. */
const kinds: Readonly<
  Record<
    string,
    {
      readonly values: fc.Arbitrary<string>
      put(scope: TenantScope, value: string): string | undefined
      take(scope: TenantScope, name: string): string | undefined
    }
  >
> = {
  'user ids, addresses and keys': {
    values: fc.oneof(text(), text(40)),
    put: (scope, value) => scope.name(value),
    take: (scope, name) => scope.value(name),
  },
  sessions: {
    values: tokens,
    put: (scope, value) => scope.session(value),
    take: (scope, name) => scope.sessionOf(name),
  },
  providers: {
    values: providerIds.filter((id) => !shared.includes(id)),
    put: (scope, value) => scope.provider(value),
    take: (scope, name) => scope.providerOf(name),
  },
}

describe('the stored names of two tenants', () => {
  for (const [what, { values, put, take }] of Object.entries(kinds)) {
    it(`TN-02 are read back, and differ for each value and tenant: ${what}`, () => {
      properties(
        fc.property(pairs, values, values, ([first = '', second = ''], value, other) => {
          const [one, two] = [createScope(first, new Set(shared)), createScope(second, new Set(shared))]
          const name = put(one, value) ?? expect.fail('the value has no name')
          expect(take(one, name)).to.equal(value)
          expect(take(two, name)).to.equal(undefined)
          if (!value.includes('~')) expect(take(one, value), 'a name without a tenant').to.equal(undefined)
          expect(put(two, other)).to.not.equal(name)
          expect(put(one, other) === name).to.equal(other === value)
          // A name that a client sends as a value is another value.
          const twice = put(one, name)
          if (twice !== undefined) expect([take(one, twice), take(two, twice)]).to.deep.equal([name, undefined])
        }),
      )
    })
  }

  it('TN-02 have no session for any other text', () => {
    properties(
      fc.property(
        fc.oneof(
          text(),
          tokens.map((token) => token.toUpperCase()),
        ),
        (value) => {
          const scope = createScope('acme', new Set())
          expect(scope.session(value)).to.equal(undefined)
          expect(scope.sessionOf(scope.name(value.replace(/^[0-9a-z]{50}/, '-')))).to.equal(undefined)
        },
      ),
    )
  })

  it('TN-16 are equal for the providers that tenants share', () => {
    for (const id of shared) {
      const scope = createScope('acme', new Set(shared))
      expect([scope.provider(id), scope.providerOf(id)]).to.deep.equal([id, id])
    }
  })
})

const hosts = fc.oneof(
  { weight: 3, arbitrary: fc.domain() },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.domain(), fc.constantFrom('.', '..', ':80', ':443', ':0443', '.:8443', ':', ':x'))
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.ipV4Extended() },
  { weight: 1, arbitrary: fc.ipV6().map((address) => `[${address}]`) },
  { weight: 2, arbitrary: fc.stringMatching(/^[A-Za-z0-9._~:-]{1,12}$/) },
  { weight: 2, arbitrary: text(400) },
)

describe('the host of a tenant', () => {
  it('TN-04 has one spelling, which a URL has too, for any header', () => {
    properties(
      fc.property(hosts, (sent) => {
        const host = normalizeHost(sent)
        if (host === undefined) return
        expect(host).to.match(/^(?:[a-z0-9._~-]*[a-z0-9_~-]|\[[0-9a-f:]+\])(?::\d{1,5})?$/)
        expect(normalizeHost(host)).to.equal(host)
        expect(normalizeHost(sent.toUpperCase())).to.equal(host)
        expect(new URL(`https://${host}`).host).to.equal(host)
      }),
    )
  })

  it('TN-04 is the same for Express and for Fetch', () => {
    properties(
      fc.property(hosts, text(), (sent, target) => {
        const url = `http://${sent}/a`
        const node = new NodeTenantRequest({ headers: { host: sent }, url: target } as never)
        if (normalizeHost(node.sentHost) === undefined) return
        const request = fetchTenantRequest({ owner: {}, headers: new Headers(), url } as never, false)
        expect(normalizeHost(request.sentHost)).to.equal(normalizeHost(node.sentHost))
        expect(node.path).to.not.equal('').and.not.match(/[?#]/)
      }),
    )
  })
})
