import { expect } from 'chai'
import { assertKnownKeys, describeValue as kindOf } from '../../lib/config/reject-option.js'
import {
  anyValue,
  boolean as assertBoolean,
  record as assertOptions,
  nonEmptyText as assertText,
  assertUrl,
  functionOf,
  nullable,
  oneOf,
  openShape,
  ownObject,
  seconds,
  shape,
} from '../../lib/config/shape.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { thrownBy } from '../support/rejection.js'

/** Returns the message of the error. */
function refusal(act: () => unknown): string {
  const error = thrownBy(act)
  expect(error).to.be.instanceOf(InvalidConfiguration)
  return error.message
}

const assertFunctions = (name: string, options: object) =>
  openShape({ a: functionOf(), b: functionOf() })(name, options)
const assertSeconds = (name: string, value: unknown, least: number) => seconds(least)(name, value)

describe('checks of single options', () => {
  it('assertOptions: a record; undefined is an empty one', () => {
    const record = { a: 1 }
    expect(assertOptions('x', record)).to.equal(record)
    expect(assertOptions('x', undefined) ?? {}).to.deep.equal({})
    for (const value of [null, [], 'a', 5, () => {}])
      expect(refusal(() => assertOptions('x', value))).to.include('`x` must be an object')
  })

  it('assertKnownKeys: names the key, and the one that was meant', () => {
    assertKnownKeys('x', { maxAge: 1 }, ['maxAge'])
    expect(refusal(() => assertKnownKeys('x', { MAXAGE: 1 }, ['maxAge']))).to.equal(
      'There is no option `x.MAXAGE`. Did you mean `maxAge`?',
    )
    expect(refusal(() => assertKnownKeys('x', { maxAges: 1 }, ['maxAge']))).to.include('Did you mean `maxAge`?')
    expect(refusal(() => assertKnownKeys('x', { scope: 1 }, ['store', 'scopes']))).to.include('Did you mean `scopes`?')
    expect(refusal(() => assertKnownKeys('', { other: 1 }, ['a', 'b']))).to.equal(
      'There is no option `other`. Known here: a, b.',
    )
  })

  it('assertFunctions: functions or nothing', () => {
    assertFunctions('x', { a: () => {}, b: undefined })
    expect(refusal(() => assertFunctions('x', { a: null }))).to.equal('`x.a` must be a function, not null.')
  })

  it('assertSeconds: a finite number, not below the minimum', () => {
    expect(assertSeconds('x', 5, 1)).to.equal(5)
    expect(assertSeconds('x', 0, 0)).to.equal(0)
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, 5n]) {
      expect(refusal(() => assertSeconds('x', value, 1))).to.include('`x` must be a number of seconds, at least 1')
    }
  })

  it('assertBoolean: true, false or nothing', () => {
    for (const value of [true, false, undefined]) expect(assertBoolean('x', value)).to.equal(value)
    for (const value of ['true', 0, null])
      expect(refusal(() => assertBoolean('x', value))).to.include('`x` must be true or false')
  })

  it('assertText: a text that is not empty, or nothing', () => {
    for (const value of ['a', undefined]) expect(assertText('x', value)).to.equal(value)
    for (const value of ['', 5, null, {}])
      expect(refusal(() => assertText('x', value))).to.include('`x` must be a non-empty string')
  })

  it('assertUrl: absolute, http or https, without user and password', () => {
    for (const value of ['https://a.test', 'http://localhost:3000/x'])
      expect(assertUrl('x', value).href).to.include(value)
    for (const value of [
      'a.test',
      '/x',
      '//a.test',
      'ftp://a.test',
      'javascript:1',
      'https://u@a.test',
      'https://:p@a.test',
      'http://[',
    ]) {
      expect(refusal(() => assertUrl('x', value))).to.include('`x` must be an absolute http(s) URL')
    }
  })

  it('describe: the kind of a value, never its content', () => {
    const kinds = ['hunter2', '', 5, null, undefined, [], {}, true, Symbol('hunter2'), () => {}].map(kindOf)
    expect(kinds).to.deep.equal([
      'a string',
      'an empty string',
      '5',
      'null',
      'undefined',
      'an array',
      'an object',
      'a boolean',
      'a symbol',
      'a function',
    ])
  })
})

describe('shape(checks)', () => {
  const person = shape({ name: assertText, kind: oneOf('a', 'b'), at: shape({ age: seconds(1) }), more: anyValue })

  it('returns the options that are set, frozen, with the shapes in it', () => {
    const given = { name: 'n', kind: undefined, more: null }
    const read = person('x', given)
    expect(read).to.deep.equal({ name: 'n', at: {}, more: null })
    expect(Object.isFrozen(read) && Object.isFrozen(read.at)).to.equal(true)
    expect(Object.isFrozen(given)).to.equal(false)
    expect(person('x', undefined)).to.deep.equal({ at: {} })
  })

  it('keeps a default where `null` means not set', () => {
    const read = shape({ age: nullable(seconds(1)) })('x', { age: null })
    expect({ age: 5, ...read }).to.deep.equal({ age: 5 })
  })

  it('names the option by its whole path', () => {
    expect(refusal(() => person('x', { at: { age: 0 } }))).to.include('`x.at.age` must be a number of seconds')
    expect(refusal(() => person('x', { at: { aged: 1 } }))).to.equal('There is no option `x.at.aged`. Known here: age.')
    expect(refusal(() => person('x', { kind: 'c' }))).to.equal('`x.kind` must be "a" or "b", not another string.')
    expect(refusal(() => person('', { name: '' }))).to.include('`name` must be a non-empty string')
    expect(refusal(() => person('', null))).to.include('`config` must be an object')
  })

  it('openShape: keeps unknown options, and does not freeze the given object', () => {
    const given = { name: 'n', other: 1 }
    const read = openShape({ name: assertText })('x', given)
    expect(read).to.deep.equal(given)
    expect(Object.isFrozen(read)).to.equal(true)
    expect(Object.isFrozen(given)).to.equal(false)
  })

  it('ownObject: returns the same object, and reads none of its other properties', () => {
    const given = {
      name: 'n',
      get other(): never {
        throw new Error('It is not connected.')
      },
    }
    const check = ownObject<typeof given>({ name: assertText })
    expect(check('x', given)).to.equal(given)
    expect(check('x', undefined)).to.equal(undefined)
    expect(refusal(() => check('x', { name: '' }))).to.include('`x.name` must be a non-empty string')
    expect(refusal(() => check('x', null))).to.include('`x` must be an object')
  })
})
