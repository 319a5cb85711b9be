/** Lets this process load the TypeScript of an application. */
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Registers the hooks.
 *
 * @param folder The folder of the configuration.
 * @param own The folder of this package.
 */
export function registerTypeScript(folder: string, own: string): void {
  register(pathToFileURL(join(own, 'dist/lib/cli/typescript/hooks.js')), { data: { folder } })
}
