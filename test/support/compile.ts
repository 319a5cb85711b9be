/** Compiles a project with one of the installed TypeScript compilers. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The files of a project, and how they are compiled. */
export interface Project {
  readonly folder: string
  /** The package with the compiler, such as `typescript5`. */
  readonly compiler: string
  readonly files: readonly string[]
  readonly options: object
}

/** Returns the errors of a compiler as text; empty if there are none. */
export async function compileErrors({ folder, compiler, files, options }: Project): Promise<string> {
  const project = join(folder, `tsconfig.${compiler}.${files.join('.')}.json`)
  writeFileSync(project, JSON.stringify({ compilerOptions: options, files }))
  const words = [join(modules, compiler, 'bin/tsc'), '-p', project, '--pretty', 'false']
  try {
    await promisify(execFile)(process.execPath, words, { cwd: folder })
    return ''
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    if (!stdout) throw error
    return stdout
  }
}
