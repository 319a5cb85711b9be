/**
 * Finds the line after which the routes are mounted: after the access log and the security headers of the application,
 * so that both apply to the routes, and before its own routes and its 404 handler.
 */

/** Packages that write an access log, add security headers or number requests. */
const firstPackages = [
  'morgan',
  'pino-http',
  'express-pino-logger',
  'express-winston',
  'express-bunyan-logger',
  'express-request-id',
  'helmet',
  'lusca',
  'hono/logger',
  'hono/request-id',
  'hono/secure-headers',
  'hono-pino',
]

/**
 * Returns the index of the last line before the mount line.
 *
 * @param lines The lines of the file.
 * @param made The index of the line that creates the application.
 * @param app The name of the application's variable.
 */
export function lineBeforeMount(lines: readonly string[], made: number, app: string): number {
  const names = namesOfFirstPackages(lines)
  const use = new RegExp(`(?<![\\w.])${app}\\.use\\(\\s*(?:['"\`]/?\\*['"\`]\\s*,\\s*)?(${names.join('|')})(?![\\w$])`)
  const route = new RegExp(
    `(?<![\\w.])${app}\\.(?:get|post|put|patch|delete|all|route|on|use\\(\\s*['"\`]/\\w|listen)\\b`,
  )
  let place = made
  for (const { text, last } of statementsAfter(lines, made)) {
    if (use.test(text)) place = last
    else if (route.test(text)) break
  }
  return place
}

/** Returns patterns of the names by which a file uses the packages. */
function namesOfFirstPackages(lines: readonly string[]): string[] {
  const text = lines.join('\n')
  const packages = firstPackages.join('|')
  const imports = new RegExp(
    `(?:import|const|let|var)\\s+([^;'"=]+?)\\s*(?:from\\s*|=\\s*require\\()['"](?:${packages})['"]`,
    'g',
  )
  const imported = [...text.matchAll(imports)].flatMap(([, bindings = '']) => bindings.match(/[\w$]+/g) ?? [])
  const made = [...text.matchAll(/(?:const|let|var)\s+(\w+)\s*=\s*([\w$]+)[.(]/g)]
  const instances = made.flatMap(([, name = '', maker = '']) => (imported.includes(maker) ? [name] : []))
  return [...imported, ...instances]
    .map((name) => name.replaceAll('$', '\\$'))
    .concat(`require\\(['"](?:${packages})['"]\\)`)
}

interface Statement {
  readonly text: string
  /** The index of its last line. */
  readonly last: number
}

/** Returns the statements after a line, down to the end of its block. A statement has as many closing brackets as opening ones. */
function statementsAfter(lines: readonly string[], made: number): Statement[] {
  const statements: Statement[] = []
  let open = 0
  let text = ''
  for (const [at, line] of lines.entries()) {
    if (at <= made) continue
    const code = withoutTexts(line)
    open += (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length
    // The block with the application ends here.
    if (open < 0) break
    text += `${line}\n`
    if (open > 0) continue
    statements.push({ text, last: at })
    text = ''
  }
  return statements
}

/** Removes strings, regular expressions and comments of one line, whose brackets are not those of the code. */
function withoutTexts(line: string): string {
  return line
    .replace(/(['"`])(?:\\.|(?!\1).)*\1/g, '')
    .replace(/\/\/.*$/, '')
    .replace(/(?<=[(,=:>!&|?{;[]\s*)\/(?![/*])(?:\\.|\[[^\]]*\]|[^/\n])+\//g, '')
}
