import { expect } from 'chai'
import { ignoresSecondArgument } from '../lib/base/function-source.js'

type AnyFunction = (...given: never[]) => unknown

/** The functions of an expression, which is run as it is: a compiler would rewrite it. */
function functionsOf(expression: string, strict = true): AnyFunction {
  return new Function(`${strict ? "'use strict';" : ''} return (${expression})`)() as AnyFunction
}

const oneArgument = [
  '() => 1',
  'c => c',
  'async c => c',
  '(c) => c',
  'async (c) => c',
  'async(c)=>c',
  '(c,) => c',
  '({ username, password }) => username + password',
  'async ({ username: name, password }) => ({ name, password })',
  'function (c) { return c }',
  'function authorize(c) { return c }',
  'async function authorize({ username }) { return username }',
  '({ authorize(c) { return c } }).authorize',
  '({ async authorize({ username, password }) { return username } }).authorize',
  '({ async $1({\n  username,\n  password,\n}) { return username } }).$1',
]

/** Each returns its second argument. */
const secondArgument = [
  '(c, r) => r',
  '(c, r = 1) => r',
  '(c, ...rest) => rest[0]',
  '(...all) => all[1]',
  '({ ...c }, r) => r',
  '(c = 1, r) => r',
  '(c /* only */, r) => r',
  '(c /* ) => */, r) => r',
  '(c // ) => c\n, r) => r',
  'function (c) { return arguments[1] }',
  'function (c) { return (() => arguments[1])() }',
  'function (c) { return argu\\u006dents[1] }',
  'function (c) { return argu\\u{6d}ents[1] }',
  'function (c) { return eval("argu" + "ments")[1] }',
  'function (c) { return \\u0065val("argu" + "ments")[1] }',
  '({ authorize(c) { return arguments[1] } }).authorize',
  '({ authorize(c, { ...r } = {}) { return arguments[1] } }).authorize',
  '({ ["authorize"](c, r) { return r } }).authorize',
  '((c, r) => r).bind(undefined)',
  'new Proxy((c, r) => r, {})',
  'new Proxy((c) => c, { apply: (target, self, given) => given[1] })',
  '({ call: (c, r) => r }).call',
  'function (c, r) { return r }',
  'async (c, r) => r',
  '(function (inner) { return (...given) => inner(...given) })((c, r) => r)',
]

describe('ignoresSecondArgument(function)', () => {
  for (const text of oneArgument) {
    it(`is true for ${JSON.stringify(text)}`, () => {
      expect(ignoresSecondArgument(functionsOf(text))).to.equal(true)
    })
  }

  for (const text of secondArgument) {
    it(`is false for ${JSON.stringify(text)}, which returns it`, async () => {
      const read = functionsOf(text)
      const second = { is: 'second' }
      expect(await Reflect.apply(read, undefined, [{}, second])).to.deep.equal(second)
      expect(ignoresSecondArgument(read)).to.equal(false)
    })
  }

  it('is false outside strict mode, where another function can read the arguments', () => {
    const read = functionsOf(
      '(() => { function own() { return own.caller["argu" + "ments"][1] }; return function (c) { return own() } })()',
      false,
    )
    expect(Reflect.apply(read, undefined, [1, 'second'])).to.equal('second')
    expect(ignoresSecondArgument(read)).to.equal(false)
  })

  it('asks the engine, not a `toString` of the function', () => {
    const read = Object.assign((_c: unknown, ...rest: unknown[]) => rest[0], { toString: () => '(c) => c' })
    expect(ignoresSecondArgument(read)).to.equal(false)
  })
})
