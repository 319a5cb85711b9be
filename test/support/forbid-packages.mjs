/**
 * `node --import test/support/forbid-packages.mjs`: code that loads one of the packages in `FORBIDDEN` (names with
 * commas) gets an error, by `import` and by `require`, in our own code and in packages.
 */
import Module, { register } from 'node:module'

const names = (process.env.FORBIDDEN ?? '').split(',')

register(
  `data:text/javascript,${encodeURIComponent(`
  const names = ${JSON.stringify(names)}
  export function resolve(specifier, context, next) {
    const name = names.find((name) => specifier === name || specifier.startsWith(name + '/'))
    if (name) throw new Error('forbidden: ' + name + ', by ' + context.parentURL)
    return next(specifier, context)
  }
`)}`,
)

const resolve = Module._resolveFilename
Module._resolveFilename = function resolveAllowed(specifier, parent, ...others) {
  const name = names.find((each) => specifier === each || specifier.startsWith(`${each}/`))
  if (name) throw new Error(`forbidden: ${name}, by ${parent?.filename}`)
  return Reflect.apply(resolve, this, [specifier, parent, ...others])
}
