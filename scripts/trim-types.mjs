/**
 * A step of `npm run build`: removes declarations that no application can reach. TypeScript writes one for each source file, and
 * `scripts/bundle.mjs` puts the code of most of these files together. A declaration stays where a door's declaration leads to it.
 */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The declarations of all doors. A `*` stands for each file of a folder. */
const doors = Object.values(exports)
  .flatMap(({ types }) => types?.default ?? types ?? [])
  .flatMap((pattern) => {
    const path = join(root, pattern)
    if (!path.includes('*')) return path
    const folder = dirname(path)
    return readdirSync(folder)
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => join(folder, name))
  })

const reached = new Set()
for (const queue = [...doors]; queue.length > 0; ) {
  const path = queue.pop()
  if (reached.has(path)) continue
  reached.add(path)
  queue.push(...importsOf(path))
}

const dist = join(root, 'dist')
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const path = join(dist, name)
  if (name.endsWith('.d.ts') && !reached.has(path)) remove(path)
}

function importsOf(path) {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)].map(([, target]) => {
    const file = join(dirname(path), `${target}.d.ts`)
    if (!existsSync(file)) throw new Error(`${path} imports ${target}, which has no declaration`)
    return file
  })
}

/** Removes the file, and folders that are empty without it. */
function remove(path) {
  rmSync(path)
  for (let folder = dirname(path); readdirSync(folder).length === 0; folder = dirname(folder)) rmdirSync(folder)
}
