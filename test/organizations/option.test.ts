/** Wrong options of `organizations` and of its guards: each throws at construction, and says what to write. */
import { expect } from 'chai'
import { requireSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { credentials, secret } from '../support/app.js'
import { roles } from './stage.js'

const membership = () => null
const config = (organizations?: unknown): ServerAuthConfig => ({
  ...{ secret, basePath: '/auth', providers: [credentials()] },
  ...(organizations !== undefined && { organizations: organizations as ServerAuthConfig['organizations'] }),
})

describe('the option `organizations`', () => {
  const wrong: Record<string, [unknown, string]> = {
    'no object': [true, '`organizations` must be an object'],
    'no function': [{ roles }, '`organizations.membership` must be a function'],
    'no roles': [{ membership }, '`organizations.roles` must be an object'],
    'an empty object of roles': [{ membership, roles: {} }, '`organizations.roles` has no role'],
    'a list of roles': [{ membership, roles: ['admin'] }, '`organizations.roles` must be an object'],
    'permissions as a text': [
      { membership, roles: { admin: 'notes:write' } },
      '`organizations.roles.admin` must be a list of permissions',
    ],
    'a permission with a space': [
      { membership, roles: { admin: ['a b'] } },
      '`organizations.roles.admin` must be a list of permissions',
    ],
    'a role without a name': [
      { membership, roles: { '': [] } },
      '`organizations.roles` has a role whose name is empty',
    ],
    'a list that is no function': [{ membership, roles, list: [] }, '`organizations.list` must be a function'],
    'a long cache': [
      { membership, roles, cacheFor: 301 },
      '`organizations.cacheFor` must be a whole number of seconds from 0 to 300',
    ],
    'a negative cache': [
      { membership, roles, cacheFor: -1 },
      '`organizations.cacheFor` must be a whole number of seconds from 0 to 300',
    ],
    'an owner without a store': [
      { roles, owner: 'admin' },
      '`organizations.owner` needs `organizations.store`. Set `store: true`',
    ],
    'the age of invitations without a store': [
      { membership, roles, invitationMaxAge: 60 },
      '`organizations.invitationMaxAge` needs `organizations.store`',
    ],
    'a misspelt name': [{ membership, roles, cachefor: 1 }, 'Did you mean `cacheFor`?'],
  }
  for (const [name, [given, message]] of Object.entries(wrong)) {
    it(`throws for ${name}`, () => expect(() => ServerAuth(config(given))).to.throw(message))
  }

  it('reads prototype names as roles only if they are its own', () => {
    const full = config({ membership, roles: { ...roles, constructor: ['x'] } })
    expect(() => requireSession(full, { organization: true, role: 'constructor' })).to.not.throw()
    expect(() => requireSession(full, { organization: true, role: 'toString' })).to.throw('`role`')
  })
})

describe('OG-06 a guard of members', () => {
  const full = config({ membership, roles })
  const wrong: Record<string, [Record<string, unknown>, string]> = {
    'an undefined organization': [{ organization: undefined }, '`organization` of GUARD must be true, or a function'],
    'false as organization': [{ organization: false }, '`organization` of GUARD must be true, or a function'],
    'an id as organization': [{ organization: 'acme' }, '`organization` of GUARD must be true, or a function'],
    'a role without an organization': [{ role: 'owner' }, '`organization` of GUARD must be true'],
    'a permission without an organization': [{ permission: 'notes:read' }, '`organization` of GUARD must be true'],
    'an undefined role': [{ organization: true, role: undefined }, '`role` of GUARD must be a role of'],
    'no role': [{ organization: true, role: [] }, '`role` of GUARD must be a role of'],
    'a misspelt role': [
      { organization: true, role: ['owner', 'onwer'] },
      'not "onwer". Known here: owner, member, guest',
    ],
    'a role of the prototype': [{ organization: true, role: 'constructor' }, '`role` of GUARD must be a role of'],
    'an undefined permission': [{ organization: true, permission: undefined }, 'not undefined. Known here: '],
    'a list of permissions': [{ organization: true, permission: ['notes:read'] }, 'not an array. Known here: '],
    'a misspelt permission': [{ organization: true, permission: 'notes:wirte' }, 'not "notes:wirte". Known here: '],
    'a permission that the role does not have': [
      { organization: true, role: 'guest', permission: 'notes:read' },
      'that an accepted role has in `organizations.roles`, not "notes:read". Known here: none.',
    ],
    'a misspelt option': [{ organisation: true }, 'Did you mean `organization`?'],
  }

  for (const [name, [options, message]] of Object.entries(wrong)) {
    it(`throws for ${name}`, async () => {
      expect(() => requireSession(full, options)).to.throw(message.replace('GUARD', 'requireSession'))
      const { auth } = initAuth(full)
      const guarded = auth.require(new Request('http://localhost/'), options).then(
        () => 'allowed',
        (error: unknown) => String(error),
      )
      expect(await guarded).to.include(message.replace('GUARD', 'auth.require()'))
    })
  }

  it('throws without the option of the configuration', () => {
    expect(() => requireSession(config(), { organization: true })).to.throw(
      '`organization` of requireSession needs `organizations`',
    )
    expect(() => requireSession(config(), { role: undefined } as object)).to.throw('needs `organizations`')
  })
})
