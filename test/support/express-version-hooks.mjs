/** The resolve hook of `express-version.mjs`. It runs in Node's loader thread, so it has a file of its own. */

const state = { name: 'express', parentURL: undefined }

/** Stores the package to load. */
export function initialize({ wanted }) {
  Object.assign(state, wanted)
}

/** Resolves `express` to that package for the project's own files. Installed packages keep their Express. */
export function resolve(specifier, context, nextResolve) {
  const own = specifier === 'express' && !context.parentURL?.includes('/node_modules/')
  return own ? nextResolve(state.name, { ...context, parentURL: state.parentURL }) : nextResolve(specifier, context)
}
