/**
 * Writes the table "Which files a request passes" of `docs/design.md`, from a trace: `npm run docs:files`. With `--check` it writes
 * nothing, and fails where the table is out of date. Run it with tsx.
 */
import { isPlumbing } from './code-split.mjs'
import { writePage } from './generated-blocks.mjs'
import { traceRequests } from './trace-requests.mjs'

const document = 'docs/design.md'

const isRoute = ([name]) => /^(GET|POST) /.test(name)
/** The requests that end with a new session. */
const isSignIn = ([name]) => /callback|reset|startSession/.test(name)

/** One row for each folder. Files that run for all routes, and for all sign-ins, have rows of their own. */
function tableOf(traced) {
  const requests = Object.entries(traced).map(([name, files]) => [name, files.filter((file) => !isPlumbing(file))])
  const ofRoutes = common(requests.filter(isRoute))
  const ofSignIns = common(requests.filter(isSignIn)).filter((file) => !ofRoutes.includes(file))
  const rows = [
    ...rowsOf('each of our routes', ofRoutes),
    ...rowsOf('each sign-in', ofSignIns),
    ...requests.flatMap((request) => {
      const told = [...(isRoute(request) ? ofRoutes : []), ...(isSignIn(request) ? ofSignIns : [])]
      return rowsOf(
        `\`${request[0]}\``,
        request[1].filter((file) => !told.includes(file)),
      )
    }),
  ]
  return ['| Request | Folder | Files |', '|---|---|---|', ...rows].join('\n')
}

function common([[, first], ...others]) {
  return first.filter((file) => others.every(([, files]) => files.includes(file)))
}

function rowsOf(name, files) {
  const folders = new Map()
  for (const file of files) {
    const [, folder, base] = /^(?:lib\/)?(?:(.*)\/)?([^/]+)\.tsx?$/.exec(file)
    folders.set(folder, [...(folders.get(folder) ?? []), `\`${base}\``])
  }
  return [...folders].map(([folder = '', names], at) => {
    return `| ${at === 0 ? name : ''} | ${folder === '' ? 'root of `lib/`' : `\`${folder}/\``} | ${names.join(', ')} |`
  })
}

const traced = await traceRequests()
writePage(document, 'request-files.mjs', [tableOf(traced)], 'npm run docs:files')
