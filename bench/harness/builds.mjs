/** Built packages to compare with: of a folder, or of a commit. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = new URL('../../', import.meta.url)

/**
 * Builds a package where needed, and returns the URL of its folder.
 * @param where a folder with a working tree, or a Git ref
 */
export function packageAt(where) {
  const folder = existsSync(where) ? resolve(where) : checkout(where)
  build(folder)
  return pathToFileURL(`${folder}/`).href
}

function build(folder) {
  execFileSync(process.execPath, [join(folder, 'scripts/build-if-needed.mjs')], { cwd: folder, stdio: 'inherit' })
}

/** Copies a commit into a temporary folder and builds it there, once. It shares the installed packages of this working tree. */
function checkout(ref) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
  const folder = join(tmpdir(), 'server-auth-bench', commit)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const archive = join(draft, 'archive.tar')
    git('archive', `--output=${archive}`, commit)
    execFileSync('tar', ['-xf', archive], { cwd: draft })
    rmSync(archive)
    symlinkSync(fileURLToPath(new URL('node_modules', root)), join(draft, 'node_modules'))
    build(draft)
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}
