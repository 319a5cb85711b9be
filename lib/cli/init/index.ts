/** `npx server-auth init`: adds a sign-in to an application, at first for development. */
import { createInterface } from 'node:readline/promises'
import { type Command, readArguments, UsageError } from '../terminal.js'
import { describeChange, type FileChange, writeChange } from './change.js'
import { environmentChange, ignoreChange } from './environment.js'
import { type Plan, plans } from './plans.js'
import { type Framework, frameworks, frameworksOf, type Project, readProject } from './project.js'

/** The command `init`. */
export const init: Command = {
  summary: 'Puts server-auth into an application of Express, Next.js or Hono',
  help: `Usage: npx server-auth init [--framework <name>] [--yes]

Writes auth.ts or auth.js, secrets into .env (.env.local with Next.js), and the lines that mount the routes. Files that are
there are shown as they would be changed, and only changed when you say yes. Users sign in by any name with a password that
is made for this machine, until you put a provider in its place: in production that does not start.

  --framework <name>   ${frameworks.join(', ')}. Default: what package.json names.
  --yes                Change files that are there without asking.`,
  async run(args) {
    const { switches, values, rest } = readArguments(args, ['yes'], ['framework'])
    if (rest.length > 0)
      throw new UsageError(`What is ${JSON.stringify(rest[0])}? The framework goes with --framework.`)
    const project = readProject(process.cwd())
    const framework = await frameworkOf(project, values.get('framework'))
    const plan = plans[framework](project)
    assertOwnFile(plan)
    const left = await applyChanges(project, changesOf(project, plan), switches.has('yes'))
    return [...left, ...nextSteps(project, framework, plan)].join('\n')
  },
}

async function frameworkOf(project: Project, asked: string | undefined): Promise<Framework> {
  const named = asked ?? (await chooseFramework(frameworksOf(project)))
  const known = frameworks.find((name) => name === named)
  if (known) return known
  throw new UsageError(`The framework is one of ${frameworks.join(', ')}.`)
}

async function chooseFramework(found: readonly Framework[]): Promise<string> {
  const [only, ...others] = found
  if (only && others.length === 0) return only
  const choice = (only ? found : frameworks).join(', ')
  const why = only
    ? `package.json names several frameworks: ${choice}.`
    : 'package.json names no framework that is known here.'
  if (!isInteractive()) throw new UsageError(`${why} Say which one with --framework.`)
  return promptUser(`${why} Which one? (${choice}) `)
}

/** Throws if a file of this name has other contents, so that nothing is changed. */
function assertOwnFile({ auth: { path, before } }: Plan): void {
  if (before === undefined || before.includes('server-auth')) return
  throw new Error(`${path} is there already, and is not about server-auth. Nothing was changed.`)
}

/** Returns all missing changes; new files first. */
function changesOf(project: Project, { auth, mount, envFile }: Plan): readonly FileChange[] {
  const isNew = auth.before === undefined
  const withPassword = isNew || auth.before?.includes('AUTH_DEVELOPMENT_PASSWORD') === true
  const changes = [
    isNew ? auth : undefined,
    environmentChange(project, envFile, withPassword),
    ignoreChange(project, envFile),
    mount,
  ].filter((change) => change !== undefined)
  return changes.toSorted((one, other) => Number(one.before !== undefined) - Number(other.before !== undefined))
}

/** Writes the confirmed changes. @returns Messages about the others. */
async function applyChanges({ root }: Project, changes: readonly FileChange[], yes: boolean): Promise<string[]> {
  const left: string[] = []
  for (const change of changes) {
    const isNew = change.before === undefined
    printText(isNew ? `New: ${change.path}` : `Changed: ${describeChange(change)}`)
    if (isNew || yes || (await isConfirmed(change))) writeChange(root, change)
    else left.push(notChanged(change))
  }
  return left
}

function notChanged({ path, consequence }: FileChange): string {
  const told = `Not changed: ${path}. Run it again with --yes, or write the lines above yourself.`
  return consequence === undefined ? told : `${told} ${consequence}`
}

async function isConfirmed({ path }: FileChange): Promise<boolean> {
  return isInteractive() && /^y(?:es)?$/i.test((await promptUser(`Change ${path}? [y/N] `)).trim())
}

function nextSteps({ packages, scripts, has }: Project, framework: Framework, plan: Plan): string[] {
  const install = [
    ...(packages.has('server-auth') ? [] : ['server-auth']),
    ...(framework === 'express' && isTooOld(packages.get('express')) ? ['express@4'] : []),
  ]
  const [manager = 'npm'] =
    [
      ['pnpm', 'pnpm-lock.yaml'],
      ['yarn', 'yarn.lock'],
      ['bun', 'bun.lock'],
    ].find(([, file = '']) => has(file)) ?? []
  const start = ['dev', 'start'].find((name) => scripts.has(name))
  const steps = [
    ...(plan.manualLines.length > 0
      ? [`Write where your application is made:\n     ${plan.manualLines.join('\n     ')}`]
      : []),
    ...(install.length > 0 ? [`${manager} ${manager === 'npm' ? 'install' : 'add'} ${install.join(' ')}`] : []),
    start ? `${manager} run ${start}` : 'Start your application.',
    `Open ${plan.path} there. Any name will do; the password is AUTH_DEVELOPMENT_PASSWORD in ${plan.envFile}.`,
  ]
  return ['', 'Now:', ...steps.map((step, at) => `  ${at + 1}. ${step}`)]
}

/** Checks whether npm would refuse the installation beside this version of Express: 4.16.4 or later is required. */
function isTooOld(range: string | undefined): boolean {
  const [, operator, major, minor, patch] = /^([~^]?)(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range ?? '') ?? []
  if (major === undefined) return false
  if (Number(major) !== 4) return Number(major) < 4
  // `^` allows newer versions of the same major, and `~` of the same minor.
  if (operator === '^' || minor === undefined) return false
  if (Number(minor) !== 16) return Number(minor) < 16
  return operator === '' && patch !== undefined && Number(patch) < 4
}

function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

async function promptUser(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

function printText(text: string): void {
  process.stdout.write(`${text}\n`)
}
