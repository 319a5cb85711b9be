/** The stages of a sign-in: their order, the steps that a configuration has, and what a failed step leaves. */

import { expect } from 'chai'
import { runStage, withUndo } from '../../lib/actions/sign-in-pipeline.js'
import { stages } from '../../lib/actions/sign-in-stages.js'
import { stepsOf } from '../../lib/actions/sign-in-steps.js'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { AuthContext } from '../../lib/contracts/index.js'
import { unsealPersistent } from '../../lib/crypto/seal.js'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { createLog, credentials, secret, startApp } from '../support/app.js'
import { withRecords } from '../support/stores.js'

/** The names of the steps, by stage. */
function namesOf(config: Partial<ServerAuthConfig>): string[] {
  const resolved = resolveConfig({ secret, providers: [credentials()], logger: createLog().logger, ...config })
  return stepsOf(resolved).map(({ stage, name }) => `${stage}: ${name}`)
}

const issuer = 'https://id.example.com'
const test = { id: 'test', name: 'Test', type: 'oidc', issuer, clientId: 'id', clientSecret: 'secret' } as const

const all: Partial<ServerAuthConfig> = {
  providers: [credentials(), test],
  adapter: memoryAdapter(),
  session: { strategy: 'jwt', rememberMaxAge: 60 * 24 * 60 * 60 },
  factors: [Totp()],
  tokens: { store: memoryStore() },
}

describe('the steps of a sign-in', () => {
  it('are in the order of the stages, on which security depends', () => {
    expect(stages).to.deep.equal(['identity', 'reauthentication', 'user', 'level', 'tokens', 'session', 'after'])
    expect(namesOf(all)).to.deep.equal([
      'identity: keep me signed in',
      'reauthentication: reauthentication',
      'user: security stamp',
      'user: same user',
      'user: attaching',
      'level: second factor',
      'tokens: provider tokens',
      'session: device and network',
      'after: provider tokens in the browser',
      'after: session at the provider',
      'after: CSRF token',
      'after: last sign-in method',
      'after: events',
    ])
  })

  it('are those of the features that are on', () => {
    expect(namesOf({})).to.deep.equal([
      'reauthentication: reauthentication',
      'user: same user',
      'user: attaching',
      'session: device and network',
      'after: session at the provider',
      'after: CSRF token',
      'after: last sign-in method',
      'after: events',
    ])
  })

  it('are made once for a configuration', () => {
    const resolved = resolveConfig({ secret, providers: [credentials()], logger: createLog().logger })
    expect(stepsOf(resolved)).to.equal(stepsOf(resolved))
  })
})

describe('a sign-in that fails', () => {
  const contextWith = (log = createLog()) => {
    const config = resolveConfig({ secret, providers: [credentials()], logger: log.logger })
    return { log, context: { config } as AuthContext }
  }

  it('takes back what its steps wrote, in reverse order, and throws its own error', async () => {
    const { log, context } = contextWith()
    const done: string[] = []
    const failed = new Error('a later step failed')
    const work = withUndo(context, async ({ undo }) => {
      undo(() => done.push('first'))
      undo(async () => {
        throw new Error('the store is away')
      })
      undo(() => {
        throw new Error('and nothing else')
      })
      undo(async () => done.push('last'))
      throw failed
    })
    expect(await work.catch((error: unknown) => error)).to.equal(failed)
    expect(done).to.deep.equal(['last', 'first'])
    expect(log.errors.map(({ message }) => message)).to.deep.equal(['and nothing else', 'the store is away'])
  })

  it('takes nothing back where it succeeds', async () => {
    const done: string[] = []
    const { context } = contextWith()
    await withUndo(context, async ({ undo }) => undo(() => done.push('undone')))
    expect(done).to.deep.equal([])
  })

  it('stops at the step that sends the user elsewhere', async () => {
    const { context } = contextWith()
    const ran = new Set<string>()
    const suspendedTo = 'http://localhost/two-factor'
    const state = { context, ran, undo() {}, suspendedTo } as never
    expect(await runStage('user', state)).to.include({ suspendedTo })
    expect([...ran]).to.deep.equal(['same user', 'suspended'])
  })
})

describe('the log of a sign-in, with `debug`', () => {
  it('has one line with the steps, and nothing of the user', async () => {
    const app = await startApp(all)
    try {
      await app.browser().signIn({ username: 'ann' })
      await app.browser().signIn({ username: 'ann', password: 'wrong' })
      const lines = app.log.debugs.filter(({ message }) => message.startsWith('sign-in: '))
      expect(lines).to.deep.equal([
        {
          message:
            'sign-in: keep me signed in, reauthentication, security stamp, same user, attaching, user, second factor, provider tokens, device and network, session, provider tokens in the browser, session at the provider, CSRF token, last sign-in method, events',
          details: [],
        },
      ])
    } finally {
      await app.close()
    }
  })

  it('says where the sign-in was suspended, and where it failed', async () => {
    const require = () => 2 as const
    const store = memoryStore()
    const app = await startApp({ factors: { methods: [Totp()], store, require } })
    const refusing = await startApp({ callbacks: { signIn: () => false } })
    try {
      await app.browser().signIn({ username: 'ann' })
      await refusing.browser().signIn({ username: 'ann' })
      const [suspended, failed] = [app, refusing].map(({ log }) =>
        log.debugs.map(({ message }) => message).filter((message) => message.startsWith('sign-in: ')),
      )
      expect(suspended).to.deep.equal([
        'sign-in: reauthentication, same user, attaching, user, second factor, suspended',
      ])
      expect(failed).to.deep.equal(['sign-in: reauthentication, same user, attaching, failed'])
    } finally {
      await Promise.all([app.close(), refusing.close()])
    }
  })
})

describe('a sign-in that is suspended', () => {
  it('stores nothing that the user typed', async () => {
    const written: string[] = []
    const store = memoryStore()
    const app = await startApp({
      factors: {
        methods: [Totp()],
        require: () => 2,
        store: withRecords(store, {
          write(table, factor, previous) {
            written.push(String(factor.data))
            return store.records.write(table, factor, previous)
          },
        }),
      },
    })
    try {
      await app.browser().signIn({ username: 'ann' })
      expect(written).to.have.length(1)
      const payload = await unsealPersistent('held-sign-in', written[0] ?? '', [secret])
      const held = JSON.parse(String(payload?.held))
      expect(held.signedIn.user).to.include({ email: 'ann@example.com' })
      expect(JSON.stringify(held)).to.not.include('right')
      expect(held.identity).to.not.have.property('credentials')
    } finally {
      await app.close()
    }
  })
})
