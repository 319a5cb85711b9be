/** Full titles of all tests by file, as mocha finds them without running one: those that tables make up are in it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Of everywhere, once they were asked for: it takes ten seconds. */
const known = { titles: undefined }

/**
 * @param {readonly string[]} folders Where to look. Default: everywhere.
 * @returns {Map<string, string[]>}
 */
export function readTitles(folders = []) {
  if (folders.length === 0) {
    known.titles ??= listTitles([])
    return known.titles
  }
  if (!known.titles) return listTitles(folders)
  return new Map([...known.titles].filter(([file]) => folders.some((folder) => file.startsWith(`${folder}/`))))
}

function listTitles(folders) {
  const folder = mkdtempSync(join(tmpdir(), 'titles-'))
  const output = join(folder, 'titles.json')
  try {
    const { stderr, stdout } = spawnSync(
      process.execPath,
      [
        'node_modules/mocha/bin/mocha.js',
        '--dry-run',
        '--reporter',
        'json',
        '--reporter-option',
        `output=${output}`,
        ...folders,
      ],
      { encoding: 'utf8', env: { ...process.env, MOCHA_RESULTS: '' } },
    )
    if (!existsSync(output)) throw new Error(`mocha could not list the tests:\n${stderr || stdout}`)
    const titles = new Map()
    for (const { file, fullTitle } of JSON.parse(readFileSync(output, 'utf8')).passes) {
      const path = relative('.', file)
      titles.set(path, [...(titles.get(path) ?? []), fullTitle])
    }
    return titles
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
