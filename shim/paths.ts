/** Which addresses are our own. */
import { findRoute } from '../lib/router/routes.js'

/** The path below the base path, with its slash; `undefined` for one that is none of our routes. */
export function pathBelow(basePath: string, pathname: string): string | undefined {
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined
  return path !== undefined && findRoute(path) ? path : undefined
}
