/**
 * Tests of the texts that an editor shows for the options under `defineAuth` and `initAuth`: each has its comment.
 * TypeScript itself is queried.
 */
import { expect } from 'chai'
import ts from 'typescript5'
import { openEditor, root } from './support/editor.js'

/** Not on disk. */
const fixture = `${root}test/option-comments.fixture.ts`

/** Options that hold options. */
const sections =
  /^(?:session|session\.legacy|jwt|jwt\.legacy|pages|theme|callbacks|events|experimental|logger|cookies|cookies\.\w+|cookies\.sessionToken\.options)$/

const doors = [
  { name: 'defineAuth', config: 'ServerAuthConfig', from: '../lib/index.js', clause: '{ defineAuth }' },
  { name: 'ServerAuth', config: 'ServerAuthConfig', from: '../lib/index.js', clause: '{ ServerAuth }' },
  { name: 'initAuth', config: 'FullStackAuthConfig', from: '../shim/index.js', clause: 'initAuth' },
  { name: 'initAuth', config: 'FullStackAuthConfig', from: '../shim/hosts/next.js', clause: 'initAuth' },
] as const

/** Options that are passed to a provider. */
const own = [
  'clientId',
  'clientSecret',
  'issuer',
  'authorization',
  'profile',
  'style',
  'allowDangerousEmailAccountLinking',
]

describe('the comments of the options in an editor', function () {
  this.timeout(120_000)
  this.slow(20_000)
  const { service, open } = openEditor(fixture)

  /** Path and documentation of each option, as TypeScript knows the type. */
  function optionsOf(config: string, from: string): string[] {
    const file = open(`import type { ${config} } from '${from}'\ndeclare const config: ${config}\nexport { config }`)
    const checker = service.getProgram()?.getTypeChecker()
    const variable = file.statements.find(ts.isVariableStatement)?.declarationList.declarations[0]
    if (!checker || !variable) throw new Error('the fixture declares nothing')
    const walk = (type: ts.Type, path: string): string[] =>
      checker.getPropertiesOfType(checker.getNonNullableType(type)).flatMap((property) => {
        const own = path + property.name
        const inner = checker.getTypeOfSymbolAtLocation(property, variable)
        return sections.test(own) ? [own, ...walk(inner, `${own}.`)] : [own]
      })
    return walk(checker.getTypeAtLocation(variable), '')
  }

  /** Returns the texts that are shown over each name of the passed object. */
  function shownOver(source: string): Map<string, string> {
    const file = open(source)
    const shown = new Map<string, string>()
    const visit = (node: ts.Node, path: string): void => {
      if (!ts.isPropertyAssignment(node)) return void ts.forEachChild(node, (child) => visit(child, path))
      const own = path + node.name.getText(file)
      const info = service.getQuickInfoAtPosition(fixture, node.name.getStart(file))
      shown.set(own, ts.displayPartsToString(info?.documentation))
      ts.forEachChild(node, (child) => visit(child, `${own}.`))
    }
    visit(file, '')
    return shown
  }

  /** Returns the text that is shown beside a name that the editor offers. */
  function completion(position: number, option: string): string {
    const list = service.getCompletionsAtPosition(fixture, position, undefined)?.entries ?? []
    expect(list.map(({ name }) => name)).to.include(option)
    const format = undefined
    const details = service.getCompletionEntryDetails(
      fixture,
      position,
      option,
      format,
      undefined,
      undefined,
      undefined,
    )
    return ts.displayPartsToString(details?.documentation)
  }

  for (const { name, config, from, clause } of doors) {
    it(`are there for every option of ${name} of ${from}`, () => {
      const options = optionsOf(config, from)
      expect(options).to.include.members([
        'providers',
        'session.maxAge',
        'pages.signIn',
        'events.signIn',
        'callbacks.jwt',
      ])
      expect(options.length).to.be.at.least(80)
      const shown = shownOver(`import ${clause} from '${from}'\nexport const made = ${name}(${toLiteral(options)})`)
      expect([...shown.keys()].sort()).to.deep.equal([...options].sort())
      expect(options.filter((option) => !/\w/.test(shown.get(option) ?? ''))).to.deep.equal([])
    })
  }

  it('are there while one is typed', () => {
    const before = `import { defineAuth } from '../lib/index.js'\nexport const made = defineAuth({ providers: [], session: { `
    open(`${before} } })`)
    for (const option of ['strategy', 'maxAge', 'updateAge', 'absoluteMaxAge']) {
      expect(completion(before.length, option), option).to.match(/\w/)
    }
  })

  it('are there for the options of a provider, built in or of one’s own', () => {
    const values = own.map((option) => `${option}: undefined as never`).join(', ')
    const source = `import type { Provider } from '../lib/index.js'
import GitHub from '../lib/providers/github.js'
import Google from '../lib/providers/google.js'
export const made = [GitHub({ ${values} }), Google({ ${values} })]
export const mine: { provider: Provider } = { provider: { id: 'x', name: 'X', type: 'oidc', ${values} } }`
    const shown = shownOver(source)
    for (const option of own) expect(shown.get(option), option).to.match(/\w/)
    for (const option of ['id', 'type', 'clientId', 'clientSecret', 'issuer', 'style']) {
      expect(shown.get(`provider.${option}`), `provider.${option}`).to.match(/\w/)
    }
  })

  it('are there while a provider is typed in place', () => {
    const before = `import { defineAuth } from '../lib/index.js'\nexport const made = defineAuth({ providers: [{ type: 'oidc', `
    open(`${before} }] })`)
    for (const option of ['clientId', 'clientSecret', 'issuer']) {
      expect(completion(before.length, option), option).to.match(/\w/)
    }
  })
})

/** An object with all options, nested. No value fits all types, but one of the type `never` does. */
function toLiteral(options: readonly string[], path = ''): string {
  const direct = options.filter((option) => option.startsWith(path) && !option.slice(path.length).includes('.'))
  const entries = direct.map((option) => {
    const isSection = options.some((other) => other.startsWith(`${option}.`))
    return `${option.slice(path.length)}: ${isSection ? toLiteral(options, `${option}.`) : 'undefined as never'}`
  })
  return `{ ${entries.join(', ')} }`
}
