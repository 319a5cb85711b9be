/** Sign-ins with user name and password, without the hashing of the password, whose cost the application chooses. */
import { answerOf } from '../harness/http.mjs'
import { repeat } from '../harness/lanes.mjs'
import { postForm, signInMessages } from '../harness/sign-in.mjs'

/** The work of all requests of a sign-in. */
const signIn = async (server) => repeat(server, await signInMessages(server))

export const credentials = {
  id: 'credentials',
  title: 'Sign-in with user name and password',
  floor: 'handler that reads the form, and sets the same cookies and headers',
  async prepare(bench, roots) {
    const own = roots.map((root) => bench.lane('ours', 'getSession', { root }, signIn))
    const answer = await bench.briefly(own[0], (server) => answerOf(server, postForm(server)[0]))
    return {
      floor: bench.lane('floors', 'sign-in', { answer }, (server) => repeat(server, postForm(server))),
      own,
      peers: () => [
        ['codec', bench.lane('codec', 'codec', {}, signIn)],
        ['express-session + passport', bench.lane('sessions', 'passport', {}, signIn)],
        ['iron-session', bench.lane('sessions', 'iron-session', {}, signIn)],
        ['Better Auth, in memory', bench.lane('better-auth', 'cookie cache', {}, signIn)],
        ['@auth/express, two requests', bench.lane('auth-js', 'encrypted cookie', {}, signIn)],
      ],
    }
  },
}
