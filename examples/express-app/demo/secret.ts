/** The environment file of this example, and the secret that is put into it on the first start. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'

/** Ignored by git. */
const environmentFile = fileURLToPath(new URL('../.env', import.meta.url))

/** Loads the file if there is one. Variables of the environment win. */
export function loadEnvironment(file = environmentFile): void {
  if (existsSync(file)) loadEnvFile(file)
}

/** Makes an AUTH_SECRET where there is none. `npx server-auth secret --write` does the same. */
export function provideSecret(file = environmentFile): void {
  if (process.env.AUTH_SECRET) return
  const secret = randomBytes(32).toString('base64url')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lineBreak = before === '' || before.endsWith('\n') ? '' : '\n'
  appendFileSync(file, `${lineBreak}AUTH_SECRET=${secret}\n`, { mode: 0o600 })
  process.env.AUTH_SECRET = secret
  console.log(`Generated an AUTH_SECRET and put it into ${relative(process.cwd(), file)} (git ignores that file).`)
}
