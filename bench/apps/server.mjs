/**
 * One application of the benchmark, in a process of its own: `node bench/apps/server.mjs '{"module": "ours", "name": "jwt"}'`.
 *
 * A module exports `variants`: by name, what mounts a library on an Express application and returns a way to read who is
 * signed in (with `guards` before it, if the library has such). All variants answer the same guarded route with it. A module
 * without Express exports variants with a `listener`.
 */
import { createServer } from 'node:http'

const options = JSON.parse(process.argv[2])

const answers = {
  memory: () => {
    globalThis.gc?.()
    return process.memoryUsage()
  },
  stop: () => process.exit(0),
}

let listener = (_request, response) => response.writeHead(503).end()
const server = createServer((request, response) => listener(request, response))
// The load keeps its connections while other variants have their turn.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address()
  const { variants } = await import(`./${options.module}.mjs`)
  const variant = variants[options.name]
  const context = { ...options, origin: `http://127.0.0.1:${port}` }
  listener = variant.listener ? await variant.listener(context) : await expressApp(variant, context)
  process.send({ port })
})

async function expressApp(variant, context) {
  const { default: express } = await import('express')
  const app = express()
  // Neither is about authentication, and both cost something.
  app.disable('etag')
  app.disable('x-powered-by')
  const { guards, userOf } = { guards: [], ...asObject(await variant(app, context, express)) }
  app.get('/guarded', ...guards, async (req, res) => {
    const user = await userOf(req, res)
    if (user) res.json({ hello: user.name })
    else res.status(401).json({ error: 'Unauthorized' })
  })
  return app
}

const asObject = (result) => (typeof result === 'function' ? { userOf: result } : result)

process.on('message', (question) => process.send(answers[question]()))
// No process is left behind when the runner is stopped.
process.on('disconnect', () => process.exit(0))
