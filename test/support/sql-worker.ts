/** Another process on the same database. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compileScript } from './child-script.js'

type Task = 'migrate' | 'session' | 'users' | 'use-tokens'

/** Runs the task in a process of its own, with these variables added to the environment. */
export async function runWorker(url: string, task: Task, argument = '', env: Record<string, string> = {}) {
  const args = [await compileScript('test/support/sql-worker-main.ts'), url, task, argument]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  const result: unknown = JSON.parse(stdout)
  return result
}
