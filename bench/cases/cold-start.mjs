/** The cost of an application before its first answer. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compare } from '../harness/measure.mjs'

const script = fileURLToPath(new URL('../apps/import.mjs', import.meta.url))
const own = fileURLToPath(new URL('../../dist/lib/index.js', import.meta.url))

const imports = {
  Express: [],
  'server-auth': [own],
  'server-auth with credentials': [own, own.replace('index.js', 'providers/credentials.js')],
  'express-session + passport': ['express-session', 'passport', 'passport-local'],
  'iron-session': ['iron-session'],
  'express-openid-connect': ['express-openid-connect'],
  'Better Auth': ['better-auth', 'better-auth/node'],
  '@auth/express': ['@auth/express', '@auth/express/providers/credentials'],
}

export const coldStart = {
  id: 'cold',
  title: 'Cold start',
  about:
    'A new process imports Express and the library. The values are milliseconds of CPU of the whole process, including its start and Express.',
  async run({ settings }) {
    const variants = Object.entries(imports).map(([name, modules]) => ({
      name,
      run: (count) => importing(modules, count),
    }))
    const options = { rounds: settings.rounds * 2, count: 1, warmUp: 1 }
    return [{ id: 'import', title: 'Import', unit: 'ms', rows: await compare(variants, options) }]
  },
}

async function importing(modules, count) {
  let spent = 0
  for (let started = 0; started < count; started += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...modules])
    spent += Number(stdout)
  }
  return spent / count
}
