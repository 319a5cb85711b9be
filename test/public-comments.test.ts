/** What an editor shows of everything that an application can import: each name and each member has its comment. Counted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { config, expect } from 'chai'
import ts from 'typescript5'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What has so many names with comments at least: the test must not pass because it looks at nothing. */
const least: Readonly<Record<string, number>> = {
  '.': 600,
  './jwt': 15,
  './errors': 50,
  './adapters': 5,
  './adapters/memory': 50,
  './adapters/redis': 50,
  './adapters/sql': 60,
  './rate-limit': 10,
  './shim': 500,
  './next': 500,
  './client': 25,
  './client/webauthn': 10,
  './react': 40,
  './testing': 50,
  './tokens': 20,
  './providers': 1,
}

const providers = readdirSync(`${root}lib/providers`).map((file) => `lib/providers/${file}`)
const doors = readDoors()
const all = new Map<ts.Node, Shown>()

describe('the comments of what applications import', function () {
  this.timeout(120_000)
  this.slow(30_000)
  let program: ts.Program
  let checker: ts.TypeChecker

  before(() => {
    config.truncateThreshold = 0
    const roots = [...doors.map(({ path }) => path), ...providers].map((path) => root + path)
    program = ts.createProgram({ rootNames: roots, options: optionsOfProject() })
    checker = program.getTypeChecker()
  })

  after(() => {
    console.log(`total ${all.size}, without ${[...all.values()].filter(({ text }) => !says(text)).length}`)
    for (const { name, text } of all.values()) if (!says(text)) console.log('MISS', name)
  })
  it('are counted for every door', () => {
    expect(doors.map(({ name }) => name).sort()).to.deep.equal(Object.keys(least).sort())
  })

  for (const { name, path } of doors) {
    it(`are there for every name and member of ${name}`, () => {
      const found = publicNames(program, checker, path)
      for (const each of found) all.set(each.at, each)
      console.log(name, found.length, found.filter(({ text }) => !says(text)).length)
      expect(found.filter(({ text }) => !says(text)).map(({ name }) => name)).to.deep.equal([])
      expect(found.length, name).to.be.at.least(least[name] ?? 0)
    })
  }

  it('are there for every provider and its options, with its variables and one link', () => {
    expect(providers.length).to.be.at.least(100)
    const found = providers.flatMap((path) => publicNames(program, checker, path, ['default']))
    for (const each of found) all.set(each.at, each)
    console.log('providers', new Set(found.map(({ at }) => at)).size)
    expect(found.filter(({ text }) => !says(text)).map(({ name }) => name)).to.deep.equal([])
    expect(found.length).to.be.at.least(300)
  })
})

interface Shown {
  readonly at: ts.Node
  /** Where it is declared, and what it is called. */
  readonly name: string
  readonly text: string
}

/** Whether it says something of its own. A link to another name is only the beginning of that. */
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
    const text = textOf(symbol.getDocumentationComment(checker))
    shown.set(declaration, { at: declaration, name: `${place}: ${owner}${symbol.name}`, text })
  }

  const reach = (found: ts.Symbol | undefined, isExported = false): void => {
    const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
    if (!symbol || seen.has(symbol)) return
    seen.add(symbol)
    for (const declaration of symbol.declarations ?? []) {
      if (!isOurs(declaration) || ts.isTypeParameterDeclaration(declaration)) continue
      // `keyof typeof table`: the table itself is nobody's to see.
      if (!isExported && ts.isVariableDeclaration(declaration)) continue
      note(declaration, symbol, '')
      visitDeclaration(declaration, symbol.name)
    }
  }

  const visitDeclaration = (declaration: ts.Node, owner: string): void => {
    if (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) return visitSignature(declaration, owner)
    visit(declaration, owner)
  }

  /** What is shown of a function or constant: not its body. */
  const visitSignature = (node: ts.FunctionLikeDeclaration | ts.VariableDeclaration, owner: string): void => {
    if (ts.isFunctionLike(node)) for (const parameter of node.parameters) if (parameter.type) visit(parameter.type, owner)
    if (node.type) visit(node.type, owner)
    else if (ts.isVariableDeclaration(node)) reach(checker.getTypeAtLocation(node).aliasSymbol ?? checker.getTypeAtLocation(node).symbol)
  }

  const visit = (node: ts.Node, owner: string): void => {
    if (isMember(node)) {
      if (isHidden(node)) return
      const symbol = checker.getSymbolAtLocation(node.name)
      if (symbol && !isProfile(owner)) note(node, symbol, `${owner}.`)
      const own = `${owner}.${symbol?.name ?? ''}`
      if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return visitSignature(node, own)
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

/** What no editor offers outside of its class. */
function isHidden(node: Member | ts.ParameterDeclaration): boolean {
  const flags = ts.getCombinedModifierFlags(node)
  return Boolean(flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) || ts.isPrivateIdentifier(node.name)
}

/** What a provider tells of a person is described by the provider. */
function isProfile(owner: string): boolean {
  return /^\w+Profile\b/.test(owner)
}

function isOurs(node: ts.Node): boolean {
  return /^(?:lib|shim)\//.test(relative(root, node.getSourceFile().fileName))
}

function textOf(parts: readonly ts.SymbolDisplayPart[]): string {
  return parts.map(({ text }) => text).join('').trim()
}

/** Each subpath of `exports`, and the source of its types. A provider is none of them. */
function readDoors(): { name: string; path: string }[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { exports: Record<string, string | { types: string }> }
  return Object.entries(exports).flatMap(([name, target]) => {
    if (typeof target === 'string' || name.startsWith('./providers/')) return []
    const path = target.types.replace('./dist/', '').replace('.d.ts', '.ts')
    if (!existsSync(root + path)) throw new Error(`there is no ${path}`)
    return [{ name, path }]
  })
}

function optionsOfProject(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  return ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root).options
}
