/** Sign-ins with user name and password, without the hashing of the password, whose cost the application chooses. */
import { answerOf, write } from '../harness/http.mjs'
import { repeat } from '../harness/lanes.mjs'

/** The form of the application's own page, as a browser sends it. */
const form = ({ port, origin }) =>
  write(port, {
    method: 'POST',
    path: '/auth/callback/credentials',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
    },
    body: 'username=ann',
  })

export const credentials = {
  id: 'credentials',
  title: 'Sign-in with user name and password',
  floor: 'handler that reads the form and sets the same cookies and headers',
  async prepare(bench, roots) {
    const work = (server) => repeat([form(server)], 303)
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, work))
    const answer = await bench.briefly(own[0], (server) => answerOf(server, form(server)))
    return { floor: bench.lane('floors', 'sign-in', { answer }, work), own }
  },
}
