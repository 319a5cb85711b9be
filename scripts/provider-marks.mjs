/**
 * `npm run marks`: writes the marks of the catalogue into its files, from `brand-marks.mjs` and, for all others, from the
 * package `simple-icons`; with `--check` says whether they are what it would write. Only icons that the package has under its own licence (CC0-1.0): those with a
 * licence entry of their own are left out, and their providers show initials.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as icons from 'simple-icons'
import { brandMarks } from './brand-marks.mjs'

const folder = new URL('../lib/providers/', import.meta.url)

/** The icons whose name is not that of the file. */
const slugs = {
  '42-school': '42',
  // Words, too small to be read in a badge.
  coinbase: undefined,
  zoho: undefined,
  zoom: undefined,
  mailru: 'maildotru',
  twitter: 'x',
  battlenet: 'battledotnet',
}

const bySlug = new Map(Object.values(icons).map((icon) => [icon.slug, icon]))
const files = readdirSync(folder)
const stale = []
let marked = 0
for (const file of files) {
  const url = new URL(file, folder)
  const before = readFileSync(url, 'utf8')
  const after = withMark(before, markOf(file.replace('.ts', '')))
  if (/ mark: /.test(after)) marked += 1
  if (after === before) continue
  stale.push(file)
  if (!process.argv.includes('--check')) writeFileSync(url, after)
}

if (!process.argv.includes('--check')) console.log(`${marked} marks; changed: ${stale.join(', ') || 'none'}`)
else if (stale.length > 0) {
  console.error(`Marks are out of date in ${stale.join(', ')}: npm run marks`)
  process.exitCode = 1
} else console.log(`${marked} providers have their mark.`)

function markOf(id) {
  if (Object.hasOwn(brandMarks, id)) return brandMarks[id]
  const icon = bySlug.get(Object.hasOwn(slugs, id) ? slugs[id] : id.replaceAll('-', ''))
  return icon && icon.license === undefined ? icon.path : undefined
}

/** The file with exactly this mark in its style, or with none. */
function withMark(source, mark) {
  const style = /\n( *)style: \{ (brandColor: '[^']*')(?:,? ?\}|,\n[^}]*\n *\}),/
  const multi = /\n( *)style: \{\n *(brandColor: '[^']*'),\n(?: *\/\/[^\n]*\n)? *mark: (?:'[^']*'|\[[^\]]*\]),\n *\},/
  const found = multi.exec(source) ?? style.exec(source)
  if (!found) return source
  const [text, indent, color] = found
  const replacement =
    mark === undefined
      ? `\n${indent}style: { ${color} },`
      : `\n${indent}style: {\n${indent}  ${color},\n${indent}  mark: ${written(mark, `${indent}  `)},\n${indent}},`
  return source.replace(text, () => replacement)
}

/** The mark as the formatter leaves it. */
function written(mark, indent) {
  if (typeof mark === 'string') return `'${mark}'`
  const layers = mark.map(
    ({ color, path }) =>
      `${indent}  {\n${indent}    color: '${color}',\n${indent}    path: '${path}',\n${indent}  },\n`,
  )
  return `[\n${layers.join('')}${indent}]`
}
