/** The folders in which a file may be, from the nearest. */
import { dirname } from 'node:path'

/** Returns the folder and all folders above it, the nearest first. */
export function parentFolders(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...parentFolders(parent)]
}
