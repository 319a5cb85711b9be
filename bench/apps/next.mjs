/** A Next.js application with two route handlers, in production. It is built first: `next build`. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const dir = fileURLToPath(new URL('./next/', import.meta.url))

/** Builds the application with the project's copy of Next. */
export function buildNext() {
  const program = fileURLToPath(new URL('../../node_modules/next/dist/bin/next', import.meta.url))
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  try {
    execFileSync(process.execPath, [program, 'build', dir], { env, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error(`next build failed:\n${error.stdout}\n${error.stderr}`)
  }
}

export const variants = {
  next: {
    async listener({ origin }) {
      const { default: next } = await import('next')
      const app = next({ dev: false, dir, hostname: '127.0.0.1', port: Number(new URL(origin).port) })
      await app.prepare()
      return app.getRequestHandler()
    },
  },
}
