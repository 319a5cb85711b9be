/** Checks that the guide lists each id that the doctor can report, and no others. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = `${root}lib/cli/doctor`

describe('the ids of the doctor', () => {
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')
  const calls = [
    ...code.matchAll(/\b(?:ok|note|warning|failure|skipped|level|how|graver)\)?\(\s*'([a-z-]+(?:\.[a-z-]+)?)'/g),
  ]
  const rows = [...code.matchAll(/(?:\/,|\?\?|\bid:) '([a-z]+\.[a-z-]+)'[\]),]/g)]
  const used = new Set([...calls, ...rows].map(([, id = '']) => id))
  const guide = readFileSync(`${root}docs/guides/doctor.md`, 'utf8')
  const table = guide
    .slice(guide.indexOf('## What it looks at'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const told = new Set(
    table.flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, id = '']) => id)),
  )

  it('are found in the sources', () => {
    expect(used.size).to.be.greaterThan(40)
  })

  it('are in the guide', () => {
    expect([...used].filter((id) => !told.has(id))).to.deep.equal([])
    expect([...told].filter((id) => !used.has(id) && !id.includes('<'))).to.deep.equal([])
  })
})
