/** Resolve hook of `express-major.mjs`. It runs in Node's loader thread, so it has a file of its own. */

const ours = { express: 'express' }

/** Gets what `register` was given. */
export function initialize({ wanted }) {
  ours.express = wanted
}

/** Our own imports of `express` get the wanted major; those of packages stay as they are. */
export function resolve(specifier, context, nextResolve) {
  const own = specifier === 'express' && !context.parentURL?.includes('/node_modules/')
  return nextResolve(own ? ours.express : specifier, context)
}
