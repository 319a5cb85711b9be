/**
 * Tests of the texts that an editor shows for everything that an application can import: each name and each member has
 * its comment. Counted.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { config, expect } from 'chai'
import ts from 'typescript5'
import { openEditor, projectOptions, root } from './support/editor.js'

/** The least numbers of names with comments, because the test must not pass without finding any. */
const least: Readonly<Record<string, number>> = {
  '.': 900,
  './jwt': 55,
  './errors': 105,
  './adapters': 215,
  './adapters/d1': 10,
  './adapters/memory': 180,
  './adapters/redis': 100,
  './adapters/sql': 230,
  './rate-limit': 45,
  './shim': 880,
  './next': 880,
  './client': 60,
  './client/webauthn': 25,
  './react': 85,
  './testing': 800,
  './tokens': 135,
  './api-keys': 20,
  './factors': 170,
  './passwords': 40,
  './telemetry': 10,
  './tenants': 30,
  './audit': 215,
  './providers': 270,
}

const providers = readdirSync(`${root}lib/providers`).map((file) => `lib/providers/${file}`)
const doors = readDoors()

/** Nothing is configured by the environment; the one is gone, too. */
const noVariables = ['lib/providers/credentials.ts', 'lib/providers/passage.ts', 'lib/providers/password.ts']

const makers = [
  `import { defineAuth } from '../lib/index.js'\nconst made = defineAuth({ providers: [] })\n`,
  `import initAuth from '../shim/index.js'\nconst made = initAuth({ providers: [] })\n`,
  `import initAuth from '../shim/hosts/next.js'\nconst made = initAuth({ providers: [] })\n`,
]

describe('the comments of what applications import', function () {
  this.timeout(120_000)
  this.slow(30_000)
  let program: ts.Program
  let checker: ts.TypeChecker

  before(() => {
    config.truncateThreshold = 0
    const roots = [...doors.map(({ path }) => path), ...providers].map((path) => root + path)
    program = ts.createProgram({ rootNames: roots, options: projectOptions() })
    checker = program.getTypeChecker()
  })

  it('are counted for every door', () => {
    expect(doors.map(({ name }) => name).sort()).to.deep.equal(Object.keys(least).sort())
  })

  for (const { name, path } of doors) {
    it(`are there for every name and member of ${name}`, () => {
      const found = publicNames(program, checker, path)
      expect(found.filter(({ text }) => !says(text)).map(({ name }) => name)).to.deep.equal([])
      expect(found.length, name).to.be.at.least(least[name] ?? 0)
    })
  }

  it('are there, all together, for as many names as there are', () => {
    const roots = [...doors.map(({ path }) => publicNames(program, checker, path)), ...providers.map(optionsOf)]
    const all = new Map(roots.flat().map((each) => [each.at, each.text]))
    expect(all.size).to.be.at.least(1700)
    expect([...all.values()].filter((text) => !says(text))).to.deep.equal([])
  })

  it('are there for every provider and its options', () => {
    expect(providers.length).to.be.at.least(100)
    const found = providers.flatMap(optionsOf)
    expect(found.filter(({ text }) => !says(text)).map(({ name }) => name)).to.deep.equal([])
    expect(new Set(found.map(({ at }) => at)).size).to.be.at.least(400)
  })

  it('name the variables and one link at every provider', () => {
    const wrong = providers.filter((path) => {
      const text = optionsOf(path)[0]?.text ?? ''
      const hasVariables = noVariables.includes(path) || /`AUTH_[A-Z0-9_]+`/.test(text)
      return !hasVariables || text.match(/(?:^|[.:] )https:\/\/\S+$/gm)?.length !== 1
    })
    expect(wrong).to.deep.equal([])
  })

  for (const maker of makers) {
    it(`are there over what is taken out of ${maker.split('\n')[0]}`, () => {
      const shown = hovers(maker)
      expect(shown.length).to.be.at.least(20)
      expect(shown.filter(({ text }) => !says(text)).map(({ name }) => name)).to.deep.equal([])
    })
  }

  function optionsOf(path: string): Shown[] {
    return publicNames(program, checker, path, ['default'])
  }
})

/** Returns the texts that are shown over each member, as `made.getSession` and as `const { getSession } = made`. */
function hovers(maker: string): Omit<Shown, 'at'>[] {
  const fixture = `${root}test/public-comments.fixture.ts`
  const { service, open } = openEditor(fixture)
  const first = open(`${maker}export { made }`)
  const checker = service.getProgram()?.getTypeChecker()
  const made = first.statements.find(ts.isVariableStatement)?.declarationList.declarations[0]
  if (!checker || !made) throw new Error('the fixture declares nothing')
  const names = checker
    .getTypeAtLocation(made)
    .getProperties()
    .map(({ name }) => name)
  const uses = names.flatMap((name) => [`void made.${name}`, `export const { ${name} } = made`])
  const { text } = open(`${maker}${uses.join('\n')}`)
  return uses.map((use) => {
    const at = text.indexOf(use) + Math.max(use.indexOf('made.') + 5, use.indexOf('{ ') + 2)
    return { name: use, text: ts.displayPartsToString(service.getQuickInfoAtPosition(fixture, at)?.documentation) }
  })
}

interface Shown {
  readonly at: ts.Node
  /** The place of the declaration, and its name. */
  readonly name: string
  readonly text: string
}

/** Checks whether a text has words of its own. A link to another name is only the beginning of that. */
function says(text: string): boolean {
  const words = text.replaceAll(/\{@link[^}]*\}/g, ' ').match(/[\w'’]{2,}/g)?.length ?? 0
  return words >= (text.startsWith('{@link') ? 6 : 1)
}

/** Every name that a file exports, their members, and those of all types that are reached from there. */
function publicNames(program: ts.Program, checker: ts.TypeChecker, path: string, only?: readonly string[]): Shown[] {
  const file = program.getSourceFile(root + path)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`${path} exports nothing`)
  const shown = new Map<ts.Node, Shown>()
  const seen = new Set<ts.Symbol>()

  const note = (declaration: ts.Node, symbol: ts.Symbol, owner: string): void => {
    const place = relative(root, declaration.getSourceFile().fileName)
    const deprecated = symbol.getJsDocTags(checker).find((tag) => tag.name === 'deprecated')
    // Each overload shows its own.
    const signature = ts.isFunctionDeclaration(declaration) && checker.getSignatureFromDeclaration(declaration)
    const comment = (signature || symbol).getDocumentationComment(checker)
    const text = textOf(comment) || textOf(deprecated?.text ?? [])
    shown.set(declaration, { at: declaration, name: `${place}: ${owner}${symbol.name}`, text })
  }

  const reach = (found: ts.Symbol | undefined, isExported = false): void => {
    const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
    if (!symbol || seen.has(symbol)) return
    seen.add(symbol)
    for (const declaration of symbol.declarations ?? []) {
      if (!isOurs(declaration) || ts.isTypeParameterDeclaration(declaration)) continue
      // In `keyof typeof table` the table itself is not shown.
      if (!isExported && ts.isVariableDeclaration(declaration)) continue
      if (ts.isFunctionDeclaration(declaration) && checker.isImplementationOfOverload(declaration)) continue
      note(declaration, symbol, '')
      visitDeclaration(declaration, symbol.name)
    }
  }

  const visitDeclaration = (declaration: ts.Node, owner: string): void => {
    if (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) {
      visitSignature(declaration, owner)
    } else visit(declaration, owner)
  }

  /** Visits the parts of a function or constant that are shown: not its body. */
  const visitSignature = (node: ts.FunctionLikeDeclaration | ts.VariableDeclaration, owner: string): void => {
    if (ts.isFunctionLike(node))
      for (const parameter of node.parameters) if (parameter.type) visit(parameter.type, owner)
    if (node.type) visit(node.type, owner)
    else if (ts.isVariableDeclaration(node))
      reach(checker.getTypeAtLocation(node).aliasSymbol ?? checker.getTypeAtLocation(node).symbol)
  }

  const visit = (node: ts.Node, owner: string): void => {
    if (isMember(node)) {
      if (isHidden(node)) return
      const symbol = checker.getSymbolAtLocation(node.name)
      if (symbol && !isProfile(owner)) note(node, symbol, `${owner}.`)
      const own = `${owner}.${symbol?.name ?? ''}`
      if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
        visitSignature(node, own)
        return
      }
      if (node.type) visit(node.type, own)
      for (const parameter of ts.isMethodSignature(node) ? node.parameters : []) visit(parameter, own)
      return
    }
    if (ts.isConstructorDeclaration(node)) {
      for (const parameter of node.parameters) {
        if (ts.isParameterPropertyDeclaration(parameter, node) && !isHidden(parameter)) {
          const symbol = checker.getSymbolsOfParameterPropertyDeclaration(parameter, parameter.name.getText())[1]
          if (symbol) note(parameter, symbol, `${owner}.`)
        }
        if (parameter.type) visit(parameter.type, owner)
      }
      return
    }
    if (ts.isTypeReferenceNode(node)) reach(checker.getSymbolAtLocation(node.typeName))
    if (ts.isExpressionWithTypeArguments(node)) reach(checker.getSymbolAtLocation(node.expression))
    if (ts.isTypeQueryNode(node)) reach(checker.getSymbolAtLocation(node.exprName))
    if (ts.isImportTypeNode(node)) reach(node.qualifier && checker.getSymbolAtLocation(node.qualifier))
    if (!ts.isBlock(node)) ts.forEachChild(node, (child) => visit(child, owner))
  }

  for (const symbol of checker.getExportsOfModule(module)) {
    if (only && !only.includes(symbol.name)) continue
    reach(symbol, true)
  }
  return [...shown.values()]
}

type Member =
  | ts.PropertySignature
  | ts.MethodSignature
  | ts.PropertyDeclaration
  | ts.MethodDeclaration
  | ts.AccessorDeclaration

function isMember(node: ts.Node): node is Member {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node)
  )
}

/** Checks whether no editor offers a member outside of its class. */
function isHidden(node: Member | ts.ParameterDeclaration): boolean {
  const flags = ts.getCombinedModifierFlags(node)
  return Boolean(flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) || ts.isPrivateIdentifier(node.name)
}

/** Checks whether a type is the profile of a provider, which the provider's documentation describes. */
function isProfile(owner: string): boolean {
  return /^\w+Profile\b/.test(owner)
}

function isOurs(node: ts.Node): boolean {
  return /^(?:lib|shim)\//.test(relative(root, node.getSourceFile().fileName))
}

function textOf(parts: readonly ts.SymbolDisplayPart[]): string {
  return parts
    .map(({ text }) => text)
    .join('')
    .trim()
}

/** Each subpath of `exports`, and the source of its types. A provider is none of them, nor are the words of a language. */
function readDoors(): { name: string; path: string }[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(exports).flatMap(([name, target]) => {
    if (typeof target === 'string' || name.startsWith('./providers/') || name === './i18n/*') return []
    const path = target.types.replace('./dist/', '').replace('.d.ts', '.ts')
    if (!existsSync(root + path)) throw new Error(`there is no ${path}`)
    return [{ name, path }]
  })
}
