/** `auth.csrf.assertOrigin`: which pages may open a WebSocket. */
import { expect } from 'chai'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'

const host = 'app.example.com'

/** The headers of upgrade requests, and whether they are allowed: without `AUTH_URL`, and with it. */
const requests: ReadonlyArray<
  readonly [title: string, headers: Record<string, string>, open: boolean, fixed: boolean]
> = [
  ['a page of the site', { host, origin: `https://${host}` }, true, true],
  ['the same with other headers', { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }, true, true],
  ['a program', { host }, true, true],
  ['a page of the site over plain http', { host, origin: `http://${host}` }, true, false],
  ['another site', { host, origin: 'https://evil.example' }, false, false],
  ['a sibling', { host, origin: `https://evil.${host}` }, false, false],
  ['another port', { host, origin: `https://${host}:8443` }, false, false],
  ['a sandboxed frame', { host, origin: 'null' }, false, false],
  [
    'a sibling, in a browser that says so',
    { host, origin: `https://${host}`, 'sec-fetch-site': 'same-site' },
    false,
    false,
  ],
  ['a text that is no origin', { host, origin: host }, false, false],
  ['a host that is no host', { host: 'a b', origin: 'https://evil.example' }, false, false],
]

for (const site of [undefined, `https://${host}`]) {
  describe(`CS-27 auth.csrf.assertOrigin (${site ? 'with' : 'without'} AUTH_URL)`, () => {
    const siteBefore = process.env.AUTH_URL
    const log = createLog()
    const config: ServerAuthConfig = { secret, providers: [credentials()], trustHost: true, logger: log.logger }
    let auth: ReturnType<typeof defineAuth>
    before(() => {
      if (site) process.env.AUTH_URL = site
      auth = defineAuth({ ...config })
      auth.csrf.assertOrigin({ headers: { host } })
    })
    after(() => {
      if (siteBefore === undefined) delete process.env.AUTH_URL
      else process.env.AUTH_URL = siteBefore
    })

    for (const [title, headers, open, fixed] of requests) {
      const isAllowed = site ? fixed : open
      it(`${isAllowed ? 'allows' : 'rejects'} ${title}`, () => {
        // As `upgrade` of a Node server has it: no scheme is known.
        const check = () => auth.csrf.assertOrigin({ headers, socket: {} })
        if (isAllowed) expect(check).not.to.throw()
        else expect(check).to.throw().with.include({ type: 'MissingCSRF', status: 403 })
      })
    }

    it('does the same behind the shim, with a Response', async () => {
      const own = initAuth({ ...config })
      const statusOf = async (origin: string) => {
        const request = new Request(`https://${host}/socket`, { headers: { origin } })
        const respond = async () => {
          await own.auth.csrf.assertOrigin(request)
          return new Response('open')
        }
        return (await withRequest(request, respond)).status
      }
      expect(await statusOf(`https://${host}`)).to.equal(200)
      expect(await statusOf('https://evil.example')).to.equal(403)
    })
  })
}
