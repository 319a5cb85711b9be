/**
 * A step of `npm run build`: makes `require()` of a provider return its function. The compiled module gets the export name
 * `module.exports`, which Node's `require()` returns, and the function gets itself as its property `default`. TypeScript 5.4 rejects
 * that export name, so a `.d.cts` beside each declaration describes the value for CommonJS.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../dist/lib/providers/', import.meta.url))
const declaration = '.d.ts'
const names = readdirSync(folder).filter((name) => name.endsWith(declaration))

for (const name of names) {
  const id = basename(name, declaration)
  const text = readFileSync(join(folder, name), 'utf8')
  const provider = functionOf(text, name)
  const compiled = join(folder, `${id}.js`)
  const code = readFileSync(compiled, 'utf8')
  writeFileSync(compiled, `${code}\n${provider}.default = ${provider}\nexport { ${provider} as 'module.exports' }\n`)
  writeFileSync(join(folder, `${id}.d.cts`), declarationFor(id, provider, text))
}

/** Returns the name of the provider's function. @throws Error if the file exports other values, which `require()` would lose. */
function functionOf(text, file) {
  const values = [...text.matchAll(/^export (?!(?:interface|type) \w|\{\};)(.*)/gm)].map(([, rest = '']) => rest)
  const [, provider] = /^default function (\w+)/.exec(values[0] ?? '') ?? []
  if (provider === undefined || values.length > 1) {
    throw new Error(`${file} must export one value, the provider function. It exports: ${values.join('; ')}`)
  }
  return provider
}

/** Returns the declaration for CommonJS: the function, and the types of the module as a namespace of the same name. */
function declarationFor(id, provider, text) {
  const types = [...text.matchAll(/^export (?:interface|type) (\w+)(<.*?>)?(?= (?:=|extends|\{))/gm)]
  const aliases = types.map(([, name, parameters = '']) => {
    return `  export type ${name}${parameters} = esm.${name}${argumentsFor(parameters)}`
  })
  const constraints = types.map(([, , parameters = '']) => parameters).join()
  const imports = [...text.matchAll(/^import type \{ (.*) \} from ('.*');$/gm)].flatMap(([, list = '', from]) => {
    const used = list.split(', ').filter((name) => new RegExp(`\\b${name}\\b`).test(constraints))
    return used.length > 0 ? [importLine(`{ ${used.join(', ')} }`, from)] : []
  })
  return [
    importLine('* as esm', `'./${id}.js'`),
    ...imports,
    `declare const ${provider}: typeof esm.default & { default: typeof esm.default }`,
    ...(aliases.length > 0 ? [`declare namespace ${provider} {`, ...aliases, '}'] : []),
    `export = ${provider}`,
    '',
  ].join('\n')
}

/** Returns the arguments that pass type parameters on: `<C>` for `<C extends Record<string, unknown>>`. */
function argumentsFor(parameters) {
  let inner = parameters.slice(1, -1)
  while (/<[^<>]*>/.test(inner)) inner = inner.replace(/<[^<>]*>/g, '')
  const names = inner.split(',').map((parameter) => parameter.trim().split(' ')[0])
  return inner === '' ? '' : `<${names.join(', ')}>`
}

function importLine(names, from) {
  return `import type ${names} from ${from} with { 'resolution-mode': 'import' }`
}
