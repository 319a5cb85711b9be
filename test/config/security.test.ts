/** The option `security`: each row of its presets, overridden by the option of the row, and as the documentation says. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { presets } from '../../lib/config/security.js'
import type { ResolvedConfig } from '../../lib/contracts/index.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { mailProvider } from '../factors/stage.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

function resolve(options: object): ResolvedConfig {
  const base = { secret, logger: createLog().logger, adapter: memoryAdapter(), providers: [mailProvider([])] }
  return resolveConfig({ ...base, ...options } as ServerAuthConfig, readEnv({}))
}

const jwt = { strategy: 'jwt' as const }
const linkMaxAge = ({ providers }: ResolvedConfig) => Object(providers.get('email')).maxAge as number

interface Row {
  readonly read: (config: ResolvedConfig) => unknown
  readonly standard: unknown
  readonly strict: unknown
  /** The row's own option, and what it comes to. */
  readonly own: readonly [options: object, value: unknown]
}

const rows: Readonly<Record<string, Row>> = {
  'session.maxAge': {
    read: ({ session }) => session.maxAge,
    standard: 2_592_000,
    strict: 3600,
    own: [{ session: { ...jwt, maxAge: 7200 } }, 7200],
  },
  'session.updateAge': {
    read: ({ session }) => session.updateAge,
    standard: 86_400,
    strict: 300,
    own: [{ session: { ...jwt, updateAge: 0 } }, 0],
  },
  'session.absoluteMaxAge': {
    read: ({ session }) => session.absoluteMaxAge,
    standard: undefined,
    strict: 86_400,
    own: [{ session: { ...jwt, absoluteMaxAge: 7 * 86_400 } }, 7 * 86_400],
  },
  'session.revocation': {
    read: ({ session }) => session.revocation !== undefined,
    standard: false,
    strict: true,
    own: [{ session: { ...jwt, revocation: false } }, false],
  },
  rateLimit: {
    read: ({ rateLimit }) => rateLimit !== undefined,
    standard: false,
    strict: true,
    own: [{ session: jwt, rateLimit: false }, false],
  },
  'cookies.sessionToken': {
    read: ({ cookies }) => cookies.secure.sessionToken.name,
    standard: '__Secure-auth.session-token',
    strict: '__Host-auth.session-token',
    own: [{ session: jwt, cookies: { sessionToken: { name: 'mine' } } }, 'mine'],
  },
  maxAge: {
    read: linkMaxAge,
    standard: 86_400,
    strict: 600,
    own: [{ session: jwt, providers: [{ ...mailProvider([]), maxAge: 900 }] }, 900],
  },
}

describe('the option security', () => {
  for (const [option, { read, standard, strict, own }] of Object.entries(rows)) {
    it(`sets ${option}, and the option itself overrides it`, () => {
      expect(read(resolve({ session: jwt }))).to.equal(standard)
      expect(read(resolve({ session: jwt, security: 'standard' }))).to.equal(standard)
      expect(read(resolve({ session: jwt, security: 'strict' }))).to.equal(strict)
      const [options, value] = own
      expect(read(resolve({ ...options, security: 'strict' }))).to.equal(value)
    })
  }

  it('the documentation has each row, with the same values', () => {
    const page = readFileSync(new URL('../../docs/reference/options.md', import.meta.url), 'utf8')
    const [section = ''] = (page.split('\n## Security preset')[1] ?? '').split('\n## ')
    const cells = section.split('\n').flatMap((line) => {
      const [, option = '', standard, strict] = /^\| `([\w.]+)`[^|]*\| ([^|]+) \| ([^|]+) \|/.exec(line) ?? []
      return option === '' ? [] : [[option, standard, strict] as const]
    })
    const documented = new Map(cells.map(([option, ...values]) => [option, values]))
    const { session, linkMaxAge, sessionPrefix } = presets.strict
    for (const option of Object.keys(rows)) expect([...documented.keys()], option).to.include(option)
    for (const [key, value] of Object.entries({ ...session, revocation: undefined })) {
      if (value !== undefined) expect(documented.get(`session.${key}`)?.[1]).to.match(new RegExp(`^${value}\\b`))
    }
    expect(documented.get('session.maxAge')?.[0]).to.match(new RegExp(`^${presets.standard.session.maxAge}\\b`))
    expect(documented.get('session.revocation')?.[1]).to.equal('`{ maxStale: 1, onOutage: "deny" }`')
    expect(session.revocation).to.deep.equal({ maxStale: 1, onOutage: 'deny' })
    expect(documented.get('maxAge')?.[1]).to.match(new RegExp(`^${linkMaxAge}\\b`))
    expect(documented.get('cookies.sessionToken')?.[1]).to.include(sessionPrefix)
  })

  it('null and undefined are options that are not set', () => {
    const session = { ...jwt, maxAge: null, updateAge: undefined }
    expect(resolve({ session, security: 'strict' }).session).to.include({ maxAge: 3600, updateAge: 300 })
  })

  it('strict needs a store for JWT sessions, and says how to do without', () => {
    const make = (session?: object) => () => resolve({ adapter: undefined, providers: [], session, security: 'strict' })
    expect(thrownBy(make()))
      .to.be.instanceOf(InvalidConfiguration)
      .with.property('message')
      .match(/^`security: "strict"` sets `session\.revocation`\. .*needs a store.*set it to `false`\.$/)
    expect(make({ revocation: false })).to.not.throw()
    // An option of the developer's own is refused in its own words.
    expect(thrownBy(make({ revocation: true })).message).to.match(/^`session\.revocation` needs a store/)
  })

  it('database sessions end with their record: strict sets no revocation for them', () => {
    expect(resolve({ security: 'strict' }).session).to.include({ strategy: 'database', maxAge: 3600 })
    expect(resolve({ security: 'strict' }).session.revocation).to.equal(undefined)
  })

  it('a cookie that other hosts or paths share cannot have the prefix __Host-', () => {
    for (const options of [{ domain: 'app.test' }, { path: '/x' }]) {
      const config = resolve({ security: 'strict', cookies: { sessionToken: { options } } })
      expect(config.cookies.secure.sessionToken.name).to.equal('__Secure-auth.session-token')
    }
    expect(resolve({ security: 'strict' }).cookies.plain.sessionToken.name).to.equal('auth.session-token')
  })

  it('refuses other presets', () => {
    const error = thrownBy(() => resolve({ security: 'high' }))
    expect(error.message).to.match(/^`security` must be "standard" or "strict", not another string/)
  })
})
