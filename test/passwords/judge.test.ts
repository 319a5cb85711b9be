/** The rules for new passwords. */
import { expect } from 'chai'
import {
  checkNewPassword,
  isTooLong,
  normalizePassword,
  type PasswordRules,
  passwordLength,
} from '../../lib/features/passwords/hashing/password-rules.js'
import type { BreachCheck } from '../../lib/features/passwords/types.js'

const usual: PasswordRules = {
  minLength: 8,
  maxLength: 1024,
  breached: [],
  context: { email: 'ann.lee@mail.example', siteName: 'Little Shop' },
}

async function judge(password: string, rules: Partial<PasswordRules> = {}) {
  const failures: string[] = []
  const fault = await checkNewPassword(password, { ...usual, ...rules }, ({ message }) => failures.push(message))
  return { fault, failures }
}

describe('judgePassword(password, rules, log)', () => {
  const good = [
    'vexing-lamp-71',
    ' eight   ',
    '\u{1F511}\u{1F98A}\u{1F335}\u{1F9ED}\u{1F3BB}\u{1F9CA}\u{1FA81}\u{1F6F6}',
    'correct horse battery staple',
    'Ann buys green lamps',
    'little shop of horrors',
    'ann8237482973498',
    'my mail.example is slow',
    'tr0ub4dor&3x',
  ]
  for (const password of good) {
    it(`takes ${JSON.stringify(password)}`, async () => {
      expect((await judge(password)).fault).to.equal(undefined)
    })
  }

  const faults: ReadonlyArray<[password: string, fault: string, rules?: Partial<PasswordRules>]> = [
    ['', 'short'],
    ['1234567', 'short'],
    ['\u{1F511}'.repeat(7), 'short'],
    // Seven characters, written as fourteen.
    ['e\u0301'.repeat(7), 'short'],
    ['vexing-lamp-71', 'short', { minLength: 15 }],
    ['x'.repeat(1025), 'long'],
    ['x'.repeat(2 ** 20), 'long'],
    ['vexing-lamp-'.repeat(6), 'long', { maxLength: 64 }],
    ['password', 'common'],
    ['PassWord', 'common'],
    ['1234567890', 'common'],
    ['qwertyuiop', 'common'],
    ['11111111', 'common'],
    ['aaaaaaaaaaaaaaaaaaaa', 'common'],
    ['abcabcabcabcabc', 'common'],
    ['passwordpassword', 'common', { minLength: 15 }],
    ['Password12345678', 'common', { minLength: 15 }],
    ['sunshinePrincess', 'common', { minLength: 15 }],
    ['abcdefghijklmnop', 'common', { minLength: 15 }],
    ['12345678901234567', 'common', { minLength: 15 }],
    ['76543210987654321', 'common', { minLength: 15 }],
    ['ann.lee@mail.example', 'contextual'],
    ['ANN.LEE@MAIL.EXAMPLE', 'contextual'],
    ['Ann_Lee-1990', 'contextual'],
    ['mail.example!', 'contextual'],
    ['littleshop2026', 'contextual'],
    ['Little Shop Little Shop', 'contextual'],
    ['annlee@littleshop', 'contextual'],
    ['12345678-90', 'contextual', { context: { email: '12345678-90@mail.example' } }],
  ]
  for (const [password, fault, rules] of faults) {
    it(`${fault}: ${JSON.stringify(password.slice(0, 30))}`, async () => {
      expect((await judge(password, rules)).fault).to.equal(fault)
    })
  }

  it('allows the same words if nothing is known of the user', async () => {
    expect((await judge('littleshop2026', { context: {} })).fault).to.equal(undefined)
    expect((await judge('vexing-lamp-71', { context: { email: '', siteName: '' } })).fault).to.equal(undefined)
  })

  describe('with checks', () => {
    const answering = (answer: boolean, asked: string[] = []): BreachCheck => ({
      isBreached: (password) => {
        asked.push(password)
        return answer
      },
    })
    const failing = (options: Partial<BreachCheck> = {}): BreachCheck => ({
      isBreached: async () => {
        throw new Error('away')
      },
      ...options,
    })

    it('asks them in turn, about the composed form, until one knows it', async () => {
      const [first, last]: [string[], string[]] = [[], []]
      const checks = [answering(false, first), answering(true), answering(true, last)]
      expect((await judge('cafe\u0301-lamp-71', { breached: checks })).fault).to.equal('breached')
      expect(first).to.deep.equal(['caf\u00e9-lamp-71'])
      expect(last).to.deep.equal([])
    })

    it('asks none about what is refused anyway', async () => {
      const asked: string[] = []
      for (const password of ['short', 'password', 'ann.lee@mail.example', 'x'.repeat(2000)]) {
        await judge(password, { breached: [answering(true, asked)] })
      }
      expect(asked).to.deep.equal([])
    })

    it('takes the password where one cannot be asked, and says so', async () => {
      const breached = [failing(), answering(false)]
      expect(await judge('vexing-lamp-71', { breached })).to.deep.equal({ fault: undefined, failures: ['away'] })
    })

    it('asks the others all the same', async () => {
      const breached = [failing(), answering(true)]
      expect(await judge('vexing-lamp-71', { breached })).to.deep.equal({ fault: 'breached', failures: ['away'] })
    })

    it('refuses it where the check says that nothing is taken then', async () => {
      const breached = [failing({ blocksOnOutage: true })]
      expect(await judge('vexing-lamp-71', { breached })).to.deep.equal({ fault: 'unavailable', failures: ['away'] })
    })

    it('bears a check that throws at once, and what is no error', async () => {
      const throwing: BreachCheck = {
        isBreached() {
          throw 'text'
        },
      }
      const { fault, failures } = await judge('vexing-lamp-71', { breached: [throwing] })
      expect([fault, failures.length]).to.deep.equal([undefined, 1])
    })

    it('aborts the signal when no caller waits any more', async () => {
      const signals: AbortSignal[] = []
      const breached = [{ isBreached: (_: string, signal: AbortSignal) => signals.push(signal) < 0 }]
      await judge('vexing-lamp-71', { breached })
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true])
    })
  })
})

describe('the text of a password', () => {
  it('is composed, and not trimmed or folded', () => {
    expect(normalizePassword(' e\u0301 \ufb01 A\0')).to.equal(' \u00e9 \ufb01 A\0')
  })

  it('is as long as its number of visible characters', () => {
    expect(passwordLength('e\u0301\u{1F511}')).to.equal(2)
    expect([isTooLong('x'.repeat(1024)), isTooLong('x'.repeat(1025)), isTooLong('xx', 1)]).to.deep.equal([
      false,
      true,
      true,
    ])
    // The longest decomposition of one character, which is not more than one.
    expect(isTooLong('\u1f82'.normalize('NFD').repeat(1024))).to.equal(false)
    expect(isTooLong('\u{1d15e}'.repeat(512))).to.equal(false)
  })
})
