/** The catalogue of modules, and that a gap in it is noticed. `npm run check:docs` looks for the tests themselves. */
import { expect } from 'chai'
import { type ConformancePlan, catalogue } from './catalogue.js'
import { findFaults, findTests } from './find.js'

describe('the catalogue of conformance modules', () => {
  it('names each plan once, and each module of a plan once', () => {
    const plans = catalogue.map(({ name }) => name)
    expect(new Set(plans).size).to.equal(plans.length)
    for (const { modules } of catalogue) {
      const names = modules.map(({ name }) => name)
      expect(new Set(names).size).to.equal(names.length)
    }
  })

  it('has names that titles are searched for', () => {
    const names = catalogue.flatMap(({ modules }) => modules.map(({ name }) => name))
    expect([...findTests(new Map([['a', names]])).keys()]).to.deep.equal([...new Set(names)])
  })

  const modules = [
    { name: 'oidcc-client-test', what: 'one' },
    { name: 'oidcc-client-test-two', what: 'two', notApplicable: 'of no use' },
  ]
  const plans: ConformancePlan[] = [{ name: 'some-plan', title: 'Some', modules }]
  const faults = (...titles: string[]) => findFaults(plans, findTests(new Map([['a', titles]])))

  it('is content with a test or a reason, and takes no plan for a module', () => {
    expect(faults('oidcc-client-basic-certification-test-plan oidcc-client-test: signs in')).to.deep.equal([])
    expect(faults('oidcc-client-test-plan oidcc-client-test: signs in')).to.deep.equal([])
  })

  it('is not content with neither, with both, or with a name that nothing has', () => {
    const neither = 'oidcc-client-test has no test with its name in the title'
    expect(faults()).to.deep.equal([neither])
    expect(faults('oidcc-client-test-three: x')).to.deep.equal([
      neither,
      'no module is called oidcc-client-test-three: a',
    ])
    expect(faults('oidcc-client-test, oidcc-client-test-two')).to.deep.equal([
      'oidcc-client-test-two has tests, and a reason why it has none',
    ])
  })
})
