/** The contract suite finds what is wrong with an adapter, and hides nothing. */
import { AssertionError } from 'node:assert'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { adapterContract } from '../../lib/testing/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { thrownBy } from '../support/rejection.js'
import { defects } from './broken-adapters.js'
import { createRunner, type Result } from './runner.js'

async function runOn(
  adapter: Adapter,
  context?: (skip: () => void) => unknown,
  only?: (name: string) => boolean,
): Promise<Result[]> {
  const runner = createRunner()
  adapterContract(runner.hooks, { create: () => ({ adapter }) })
  return runner.run(context, only)
}

const withOutcome = (results: readonly Result[], outcome: Result['outcome']) =>
  results.filter((result) => result.outcome === outcome)

/** The name of a test without the methods that it says to be optional. */
const plain = ({ name }: Pick<Result, 'name'>) => name.replace(/ \(optional: .*\)$/, '')

/** The adapter without its optional methods: what a published adapter may look like. */
function withoutExtensions(): Adapter {
  const { createUser, getUser, getUserByEmail, getUserByAccount, updateUser, linkAccount, ...rest } = memoryAdapter()
  const { createSession, getSessionAndUser, updateSession, deleteSession } = rest
  const { createVerificationToken, useVerificationToken } = rest
  const users = { createUser, getUser, getUserByEmail, getUserByAccount, updateUser, linkAccount }
  const sessions = { createSession, getSessionAndUser, updateSession, deleteSession }
  return { ...users, ...sessions, createVerificationToken, useVerificationToken }
}

describe('adapterContract', () => {
  it('passes on an adapter that is right', async () => {
    const results = await runOn(memoryAdapter())
    expect(results.length).to.be.greaterThan(70)
    expect(results.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([])
  })

  it('gives each test a name of its own', () => {
    const runner = createRunner()
    adapterContract(runner.hooks, { name: 'my adapter', create: () => ({ adapter: memoryAdapter() }) })
    const names = runner.names().map((path) => path.join(' > '))
    expect(new Set(names).size).to.equal(names.length)
    expect(names[0]).to.equal('my adapter > users > createUser returns the user with an id, and getUser finds it')
  })

  it('works with methods that need their object', async () => {
    class Wrapped {
      readonly #adapter = memoryAdapter()
      getUser(id: string) {
        return this.#adapter.getUser(id)
      }
    }
    const results = await runOn(new Wrapped())
    expect(results.find(({ name }) => name.startsWith('getUser is null'))).to.include({ outcome: 'passed' })
  })

  it('takes the ids that the adapter gives', async () => {
    const right = memoryAdapter()
    const numbers = { next: 1 }
    const createUser: Adapter['createUser'] = async (user) => {
      numbers.next += 1
      return right.createUser({ ...user, id: String(numbers.next) })
    }
    const transaction: Adapter['transaction'] = (work) =>
      right.transaction((within) =>
        work({ ...within, createUser: async (user) => (await within.createUser?.({ ...user, id: '' })) ?? user }),
      )
    expect(withOutcome(await runOn({ ...right, createUser, transaction }), 'failed')).to.deep.equal([])
  })

  describe('finds that', () => {
    for (const { what, found, create } of defects) {
      it(what, async () => {
        // That one alone: some wait for a time to pass.
        const results = await runOn(create(), undefined, (name) => plain({ name }) === found)
        const failed = withOutcome(results, 'failed')
        expect(failed.map(plain)).to.include(found)
        const error = failed.find((result) => plain(result) === found)?.error
        expect(error).to.be.instanceOf(Error)
      })
    }

    it('an adapter lacks a method that the engine needs', async () => {
      const { getUserByAccount: _, ...adapter } = memoryAdapter()
      const results = await runOn(adapter)
      const failed = results.find(({ name }) => name === 'takes the same id at two providers')
      expect(failed?.outcome).to.equal('failed')
      expect(failed?.error).to.be.instanceOf(AssertionError)
      expect(failed?.error)
        .to.have.property('message')
        .that.match(/^the adapter has no method getUserByAccount: the engine calls it/)
    })
  })

  it('passes no test on an adapter whose database is down', async () => {
    const down = async () => {
      throw new Error('connection refused')
    }
    const methods = Object.keys(memoryAdapter()).map((name) => [name, down])
    const results = await runOn(Object.fromEntries(methods))
    expect(results.filter(({ outcome }) => outcome !== 'failed')).to.deep.equal([])
  })

  it('says in its messages what would go wrong', async () => {
    const found = defects.find(({ what }) => what === 'a session is read, changed and written')
    const results = await runOn(found?.create() ?? {}, undefined, (name) => name === found?.found)
    const failed = results.find(({ name }) => name === found?.found)
    expect(failed?.error)
      .to.have.property('message')
      .that.match(/^a session deleted while it is extended must not come back, because the user signed out/)
  })

  describe('with an adapter that has no optional methods', () => {
    it('runs the rest, and skips the others by the first parameter of the runner', async () => {
      const reasons: string[] = []
      const results = await runOn(withoutExtensions(), (skip) => ({
        skip: (reason: string) => {
          reasons.push(reason)
          skip()
        },
      }))
      expect(withOutcome(results, 'failed')).to.deep.equal([])
      expect(withOutcome(results, 'skipped').length).to.equal(reasons.length)
      expect(withOutcome(results, 'skipped').every(({ name }) => name.includes('(optional: '))).to.equal(true)
      expect(withOutcome(results, 'passed').some(({ name }) => name.includes('(optional: '))).to.equal(false)
      expect(reasons)
        .to.include('the adapter has no transaction')
        .and.include('the adapter has no deleteUser, createAuthenticator, getAuthenticator')
    })

    it('says so in the name alone where a runner cannot skip', async () => {
      const results = await runOn(withoutExtensions())
      expect(results.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([])
    })
  })

  describe('skip', () => {
    const create = () => ({ adapter: memoryAdapter() })

    it('leaves out a group, a test, or what needs a method, and shows the reason', async () => {
      const runner = createRunner()
      const skip = {
        races: 'no constraints',
        'keeps any text': 'Latin 1',
        renameAuthenticator: 'passkeys have no names',
      }
      adapterContract(runner.hooks, { create, skip })
      const skipped = withOutcome(await runner.run(), 'skipped').map(({ path }) => path.slice(1).join(' > '))
      expect(skipped).to.have.length(9)
      expect(
        skipped.filter((name) => name.startsWith('races > ') && name.endsWith(' – left out: no constraints')),
      ).to.have.length(5)
      expect(skipped).to.include('users > keeps any text – left out: Latin 1')
      const named = skipped.filter((name) => / – left out: passkeys have no names$/.test(name))
      expect(named).to.have.length(3)
      expect(named[0]).to.match(/^passkeys > renameAuthenticator /)
    })

    it('shows it as a test that passed where a runner has no it.skip', async () => {
      const runner = createRunner()
      const it = (name: string, body: () => Promise<void>) => runner.hooks.it(name, body)
      adapterContract({ ...runner.hooks, it }, { create, skip: { races: 'no constraints' } })
      const results = await runner.run()
      expect(results.filter(({ name }) => name.endsWith(' – left out: no constraints'))).to.have.length(5)
      expect(withOutcome(results, 'passed')).to.have.length(results.length)
    })

    it('refuses a name that is none, and a reason that is none', () => {
      const tried = (skip: Record<string, string>) =>
        thrownBy(() => adapterContract(createRunner().hooks, { create, skip })).message
      expect(tried({ race: 'no constraints' })).to.equal(
        '`skip` names "race", but no group, test or method of the contract has that name.',
      )
      expect(tried({ races: ' ' })).to.equal('`skip` needs a reason for "races".')
      expect(tried({ constructor: 'why not' })).to.contain('"constructor"')
    })
  })

  describe('create and close', () => {
    function counted() {
      const counts = { created: 0, closed: 0 }
      const create = async () => {
        counts.created += 1
        const close = () => {
          counts.closed += 1
        }
        return { adapter: memoryAdapter(), close }
      }
      return { counts, create }
    }

    it('makes one adapter before the tests, and closes it after them', async () => {
      const { counts, create } = counted()
      const runner = createRunner()
      adapterContract(runner.hooks, { create })
      expect(counts).to.deep.equal({ created: 0, closed: 0 })
      await runner.run()
      expect(counts).to.deep.equal({ created: 1, closed: 1 })
    })

    it('takes beforeAll and afterAll for it', async () => {
      const { counts, create } = counted()
      const runner = createRunner()
      const { before, after, ...hooks } = runner.hooks
      adapterContract({ ...hooks, beforeAll: before, afterAll: after }, { create })
      await runner.run()
      expect(counts).to.deep.equal({ created: 1, closed: 1 })
    })

    it('does with describe and it', async () => {
      const { counts, create } = counted()
      const runner = createRunner()
      const { describe, it } = runner.hooks
      adapterContract({ describe, it }, { create })
      const results = await runner.run()
      expect(results.at(-1)).to.include({ name: 'closes the adapter', outcome: 'passed' })
      expect(counts).to.deep.equal({ created: 1, closed: 1 })
    })

    it('fails where the adapter cannot be made', async () => {
      const runner = createRunner()
      const { describe, it } = runner.hooks
      const create = () => {
        throw new Error('no database')
      }
      adapterContract({ describe, it }, { create })
      const results = await runner.run()
      const failed = withOutcome(results, 'failed')
      expect(failed).to.have.length(results.length - 1)
      expect(failed[0]?.error).to.have.property('message', 'no database')
    })
  })

  it('runs under node:test', async function () {
    this.timeout(60_000)
    const fixture = fileURLToPath(new URL('./under-node-test.ts', import.meta.url))
    const command = ['--import', import.meta.resolve('tsx'), '--test', '--test-reporter=tap', fixture]
    // A runner that finds itself inside another one reports in that one's language.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1])
    expect({ fail: count('fail'), cancelled: count('cancelled') }).to.deep.equal({ fail: 0, cancelled: 0 })
    expect(count('pass')).to.be.greaterThan(50)
    expect(stdout).to.match(
      /ok \d+ - a transaction sees what it did itself \(optional: transaction\) # SKIP the adapter has no transaction/,
    )
    expect(stdout).to.match(/ok \d+ - keeps any text – left out: a database of Latin 1 # SKIP/)
  })
})
