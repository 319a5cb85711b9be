/** Suites about what is printed: by a logger of the developer's that prints all it gets, and on the console. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { LoggerInstance } from '../../lib/types/logger.js'
import { toldSecrets } from './log-watch.js'

/** Plays something with a logger. */
export type Play = (logger: Partial<LoggerInstance>) => Promise<unknown>

/** Returns the output of a run, by a logger that prints everything as objects and as JSON. */
export async function printedByLogger(play: Play): Promise<string> {
  const lines: string[] = []
  const print = (...words: unknown[]) => {
    lines.push(...words.map((word) => inspect(word, { depth: 10, showHidden: true, maxStringLength: null })))
    lines.push(...words.map((word) => JSON.stringify(word) ?? ''))
  }
  await play({ error: print, warn: print, debug: print })
  return lines.join('\n')
}

/** Returns the output of a run on the console. */
export async function printedOnConsole(play: Play): Promise<string> {
  const lines: string[] = []
  const { error, warn, debug, log, info } = console
  const print = (...words: unknown[]) =>
    void lines.push(words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' '))
  Object.assign(console, { error: print, warn: print, debug: print, log: print, info: print })
  try {
    await play({})
  } finally {
    Object.assign(console, { error, warn, debug, log, info })
  }
  return lines.join('\n')
}

/**
 * Tests that a run logs something, and none of the secrets that were used in it. @param more Further secrets on the
 * console
 */
export function itPrintsNoSecret(title: string, logged: RegExp, play: Play, more: readonly string[] = []): void {
  for (const [where, printed, values] of [
    ['by a logger', printedByLogger, []],
    ['on the console', printedOnConsole, more],
  ] as const) {
    it(`LG-01 LG-04 prints no secret ${where}: ${title}`, async () => {
      const text = await printed(play)
      expect(text).to.match(logged)
      expect(toldSecrets().length).to.be.above(2)
      for (const value of [...toldSecrets(), ...values]) {
        expect(text, `a secret of ${value.length} characters`).not.to.include(value)
      }
    })
  }
}
