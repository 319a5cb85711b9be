/** The catalogue of attacks, and that a gap in it is found. `npm run check:docs` looks for the tests themselves. */
import { expect } from 'chai'
import { absent, pending, tested } from './catalogue/case.js'
import { findFaults, findTests, type Titles } from './catalogue/find.js'
import { catalogue } from './catalogue/index.js'

describe('the catalogue of attacks', () => {
  it('names each once, in one form, and has a reason where there is nothing to try', () => {
    const cases = catalogue.flatMap((group) => group.cases)
    const ids = cases.map(({ id }) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids.filter((id) => !/^[A-Z]{2,3}-\d{2}$/.test(id))).to.deep.equal([])
    expect(cases.filter(({ what }) => what.length < 8)).to.deep.equal([])
    for (const { notApplicable } of cases) if (notApplicable !== undefined) expect(notApplicable).to.match(/\S.{15}/)
  })

  const group = {
    title: 'Some',
    section: 'Some',
    cases: [
      tested('AA-01', 'one'),
      absent('AA-02', 'two', 'there is no such thing'),
      pending('BB-01', 'three', 'test/'),
    ],
  }
  const titles = (texts: Record<string, string[]>): Titles => new Map(Object.entries(texts))
  const faults = (texts: Record<string, string[]>) => findFaults([group], findTests([group], titles(texts)))

  it('finds ids anywhere in a title, several in one, and in several files', () => {
    const tests = findTests([group], titles({ a: ['x AA-01 BB-01 y', 'AA-1 AA-011 XAA-01 UTF-16'], b: ['z (AA-01)'] }))
    expect(Object.fromEntries([...tests].map(([id, files]) => [id, [...files]]))).to.deep.equal({
      'AA-01': ['a', 'b'],
      'BB-01': ['a'],
    })
  })

  it('accepts a test, a reason, or the file of a future test', () => {
    expect(faults({ a: ['AA-01'] })).to.deep.equal([])
    expect(faults({ a: ['AA-01'], b: ['BB-01'] })).to.deep.equal([])
  })

  it('rejects neither, both, and an id that no case has', () => {
    expect(faults({})).to.deep.equal(['AA-01 has no test with its id in the title, and no reason'])
    expect(faults({ a: ['AA-01 AA-02'] })).to.deep.equal(['AA-02 has a reason not to be tested, and tests'])
    expect(faults({ a: ['AA-01 AA-03'] })).to.deep.equal(['no case is called AA-03: a'])
    expect(findFaults([group, group], findTests([group], titles({ a: ['AA-01'] })))).to.include(
      'AA-01 is in the catalogue twice',
    )
  })
})
