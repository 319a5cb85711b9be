/** The plans of the frameworks: the place of `auth.ts`, and the lines that mount the routes. */
import { authFile } from './auth-file.js'
import type { FileChange } from './change.js'
import { lineBeforeMount } from './mount-place.js'
import { type Framework, findSource, type Project, type SourceFile, siblingPath } from './project.js'

/** The changes, and the steps for the developer. */
export interface Plan {
  /** `auth.ts`, or its name in this project. */
  readonly auth: FileChange
  readonly mount?: FileChange | undefined
  /** The lines that the developer has to add, if their place is unknown. */
  readonly manualLines: readonly string[]
  readonly envFile: string
  /** The path of the sign-in page. */
  readonly path: string
}

/** The plans by framework. @throws {Error} If the routes cannot run. */
export const plans: Readonly<Record<Framework, (project: Project) => Plan>> = {
  express: planExpress,
  next: planNext,
  hono: planHono,
}

/* ---- Express and Hono: a line in the file that creates the application ---------------------------------------------- */

const expressLine =
  /^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*express\(\)[ \t]*;?[ \t]*$/m
const honoLine =
  /^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*new Hono(?:<[^\n]*>)?\([^()\n]*\)[ \t]*;?[ \t]*$/m

function planExpress(project: Project): Plan {
  const source = findSource(project, expressLine)
  const mount = (app: string) => `${app}.use('/auth', auth.router)`
  return mountPlan(project, source, { maker: 'express', imported: 'auth', mount, path: '/auth/signin' })
}

function planHono(project: Project): Plan {
  if (project.packages.has('wrangler')) throw new Error('The routes need Node: they cannot run on Cloudflare Workers.')
  const source = findSource(project, honoLine)
  const mount = (app: string) => `${app}.on(['GET', 'POST'], '/api/auth/*', (context) => handlers.GET(context.req.raw))`
  return mountPlan(project, source, { maker: 'hono', imported: 'handlers', mount, path: '/api/auth/signin' })
}

interface Mounting {
  readonly maker: 'express' | 'hono'
  /** The export of `auth.ts` that is mounted. */
  readonly imported: string
  mount(app: string): string
  readonly path: string
}

function mountPlan(project: Project, source: SourceFile | undefined, mounting: Mounting): Plan {
  const { maker, imported, mount, path } = mounting
  const { isModule, hasTypes } = project
  const extension = source?.extension.replace('x', '') ?? (hasTypes ? '.ts' : '.js')
  const isTyped = extension.endsWith('ts')
  const isEsm = isTyped || (source?.isEsm ?? isModule)
  const name = `auth${extension}`
  const place = source ? siblingPath(source, name) : name
  const envFile = '.env'
  const auth = { path: place, before: project.read(place), after: authFile({ name, maker, isEsm, envFile }) }
  // The name of the compiled file for TypeScript; CommonJS finds it without an extension.
  const target = isEsm && (isModule || /^\.m/.test(extension)) ? `./auth${extension.replace('ts', 'js')}` : './auth'
  const load = isEsm ? `import { ${imported} } from '${target}'` : `const { ${imported} } = require('${target}')`
  const manualLines = [load, mount(source?.name ?? 'app')]
  if (!source) return { auth, manualLines, envFile, path }
  const after = withLines(source, maker, manualLines)
  if (after === undefined) return { auth, manualLines, envFile, path }
  const change = after === source.text ? undefined : { path: source.path, before: source.text, after }
  return { auth, mount: change, manualLines: [], envFile, path }
}

/** Returns the file with both lines, in its own style; unchanged if it has them; `undefined` without a known import. */
function withLines({ text, line, name }: SourceFile, from: string, [load = '', mount = '']: readonly string[]) {
  if (/\bauth\.router\b|\bhandlers\.(?:GET|POST)\b/.test(text)) return text
  const lines = text.split(/\r?\n/)
  const importLine = new RegExp(`(?:from|require\\()[ \\t]*(['"])${from}\\1`)
  const imported = lines.findIndex((each) => importLine.test(each))
  const made = lines.findIndex((each) => each.trim() === line)
  if (imported < 0 || made < 0) return undefined
  const inStyle = (added: string) => {
    const quoted = lines[imported]?.includes('"') ? added.replaceAll("'", '"') : added
    return line.endsWith(';') ? `${quoted};` : quoted
  }
  const indent = /^\s*/.exec(lines[made] ?? '')?.[0] ?? ''
  const place = lineBeforeMount(lines, made, name)
  const added = lines.flatMap((each, at) => [
    each,
    ...(at === imported ? [inStyle(load)] : []),
    ...(at === place ? [`${indent}${inStyle(mount)}`] : []),
  ])
  return added.join(text.includes('\r\n') ? '\r\n' : '\n')
}

/* ---- Next.js: a route of its own ---------------------------------------------------------------------------------- */

function planNext({ has, hasTypes, read }: Project): Plan {
  const folder = has('src/app') || has('src/pages') ? 'src/' : ''
  const name = hasTypes ? 'auth.ts' : 'auth.js'
  const place = folder + name
  const envFile = '.env.local'
  const auth = { path: place, before: read(place), after: authFile({ name, maker: 'next', isEsm: true, envFile }) }
  const route = `${folder}app/api/auth/[...auth]/route.${hasTypes ? 'ts' : 'js'}`
  const text = "import { handlers } from '../../../../auth'\n\nexport const { GET, POST } = handlers\n"
  const mount = has(route) ? undefined : { path: route, after: text }
  return { auth, mount, manualLines: [], envFile, path: '/api/auth/signin' }
}
