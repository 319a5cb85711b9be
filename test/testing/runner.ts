/** A test runner as small as they come: shows what a suite registers, and runs it. */
import type { ContractHooks } from '../../lib/testing/index.js'

/** A test that ran, or was left out. */
export interface Result {
  /** The titles of the suites around it, and its own. */
  readonly path: readonly string[]
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly error?: unknown
}

type Body = (...context: unknown[]) => Promise<void>

interface Registered {
  readonly path: readonly string[]
  readonly body?: Body
}

/** The runner, with the functions that the hooks get. */
export interface Runner {
  readonly hooks: Required<Pick<ContractHooks, 'describe' | 'it' | 'before' | 'after'>>
  /** The paths of the tests, in their order. */
  names(): string[][]
  /** Runs before, tests, after. `context` is what each test gets as its first parameter. `only`: which of them, by name. */
  run(context?: (skip: () => void) => unknown, only?: (name: string) => boolean): Promise<Result[]>
}

export function createRunner(): Runner {
  const tests: Registered[] = []
  const [first, last]: [Array<() => Promise<void>>, Array<() => Promise<void>>] = [[], []]
  const open: string[] = []

  function describe(name: string, body: () => void): void {
    open.push(name)
    body()
    open.pop()
  }
  const it = Object.assign((name: string, body: Body) => void tests.push({ path: [...open, name], body }), {
    skip: (name: string) => void tests.push({ path: [...open, name] }),
  })

  return {
    hooks: { describe, it, before: (setUp) => void first.push(setUp), after: (tearDown) => void last.push(tearDown) },
    names: () => tests.map(({ path }) => [...path]),
    async run(context, only = () => true) {
      for (const setUp of first) await setUp()
      const results: Result[] = []
      for (const test of tests) if (only(test.path.at(-1) ?? '')) results.push(await runOne(test, context))
      for (const tearDown of last) await tearDown()
      return results
    },
  }
}

async function runOne({ path, body }: Registered, context?: (skip: () => void) => unknown): Promise<Result> {
  const name = path.at(-1) ?? ''
  const state = { skipped: false }
  const skip = () => {
    state.skipped = true
  }
  if (!body) return { path, name, outcome: 'skipped' }
  try {
    await (context ? body(context(skip)) : body())
    return { path, name, outcome: state.skipped ? 'skipped' : 'passed' }
  } catch (error) {
    return { path, name, outcome: 'failed', error }
  }
}
