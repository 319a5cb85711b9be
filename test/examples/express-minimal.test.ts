/** The small example, as its README says. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import request from 'supertest'
import { freePorts } from '../support/free-ports.js'

const app = fileURLToPath(new URL('../../examples/express-minimal/app.js', import.meta.url))

describe('examples/express-minimal', () => {
  let server: ChildProcess
  let origin = ''

  before(async () => {
    const { AUTH_URL: _site, AUTH_SECRET: _secret, ...env } = process.env
    const [port] = await freePorts(1)
    origin = `http://localhost:${port}`
    server = spawn(process.execPath, [app], { env: { ...env, PORT: String(port), NODE_OPTIONS: '' }, stdio: 'ignore' })
    while (!(await fetch(origin).catch(() => null))) {
      if (server.exitCode !== null) throw new Error('the example did not start')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  after(() => server.kill())

  it('has fifteen lines', () => {
    expect(readFileSync(app, 'utf8').trimEnd().split('\n')).to.have.length(15)
  })

  it('signs in, shows the session, and signs out', async () => {
    const agent = request.agent(origin)
    await agent.get('/').expect(200, 'null')
    const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
    const signIn = (password: string) =>
      agent.post('/auth/callback/credentials').type('form').send({ csrfToken, username: 'ada', password })
    await signIn('wrong')
    await agent.get('/').expect(200, 'null')
    await signIn('demo')
    expect((await agent.get('/').expect(200)).body.user).to.deep.include({ name: 'ada' })
    const { csrfToken: fresh } = (await agent.get('/auth/csrf').expect(200)).body
    await agent.post('/auth/signout').type('form').send({ csrfToken: fresh })
    await agent.get('/').expect(200, 'null')
  })
})
