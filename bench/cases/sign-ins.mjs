/** Whole sign-ins, with all the requests that a browser makes to the application. */
import { Browser, Connection } from '../harness/http.mjs'
import { cpuOf } from '../harness/measure.mjs'
import { signedInCookie, signIn, signInAtProvider } from '../harness/sign-in.mjs'

const lanes = 8

/** A variant whose piece of work is a sign-in. `signInOnce(lane)` resolves to the browser. */
function signIns(name, server, { open, signInOnce, close, facts }) {
  let requests = 0
  return {
    name,
    facts: () => ({ requests, ...facts?.() }),
    async run(count) {
      const opened = Array.from({ length: Math.min(lanes, count) }, open)
      let begun = 0
      const drive = async (lane) => {
        while (begun < count) {
          begun += 1
          requests = (await signInOnce(lane)).requests
        }
      }
      try {
        return await cpuOf(server, count, () => Promise.all(opened.map(drive)))
      } finally {
        for (const lane of opened) close(lane)
      }
    },
  }
}

export const credentials = {
  id: 'credentials',
  title: 'Sign-in with user name and password',
  about:
    'All requests of a sign-in, without password hashing, whose cost the application chooses. Express alone reads the form and sets a constant cookie.',
  async run(bench) {
    const variants = []
    for (const [title, module, name] of [
      ['Express', 'bare', 'express'],
      ['bare codec', 'codec', 'codec'],
      ['server-auth', 'ours', 'getSession'],
      ['express-session + passport', 'sessions', 'passport'],
      ['iron-session', 'sessions', 'iron-session'],
      ['Better Auth, in memory', 'better-auth', 'cookie cache'],
      ['@auth/express', 'auth-js', 'encrypted cookie'],
    ]) {
      const server = await bench.start(module, name)
      await signedInCookie(server)
      variants.push(
        signIns(title, server, {
          open: () => new Connection(server.port),
          signInOnce: (connection) => signIn(server, connection),
          close: (connection) => connection.close(),
        }),
      )
    }
    return [{ id: 'credentials', title: 'Credentials', rows: await bench.compare(variants, { scale: 0.3 }) }]
  },
}

export const oidc = {
  id: 'oidc',
  title: 'Sign-in with OpenID Connect',
  about:
    'From the click on the button to the session cookie, with a user who is signed in at the provider. The time is that of the application alone for each sign-in; the base is server-auth. Requests to the provider are those that the application makes for each sign-in, without those that it makes once.',
  async run(bench) {
    const provider = await bench.provider()
    const variants = []
    for (const [title, module, name] of [
      ['server-auth', 'ours', 'getSession'],
      ['express-openid-connect', 'openid-connect', 'encrypted cookie'],
      ['Better Auth, in memory', 'better-auth', 'cookie cache'],
      ['@auth/express', 'auth-js', 'encrypted cookie'],
    ]) {
      const server = await bench.start(module, name, { issuer: provider.origin })
      await signedInCookie(server, provider)
      variants.push(await atProvider(title, server, provider))
    }
    return [
      {
        id: 'oidc',
        title: 'OpenID Connect',
        base: 'server-auth',
        rows: await bench.compare(variants, { scale: 0.05 }),
      },
    ]
  },
}

/** The requests to the provider are counted in one sign-in, which is not the first. */
async function atProvider(title, server, provider) {
  const open = () => ({ connection: new Connection(server.port), browser: new Browser(new Connection(provider.port)) })
  const signInOnce = ({ connection, browser }) => signInAtProvider(server, connection, browser)
  const close = ({ connection, browser }) => {
    connection.close()
    browser.connection.close()
  }
  const before = total(await provider.ask('requests'))
  const lane = open()
  await signInOnce(lane)
  close(lane)
  const toProvider = total(await provider.ask('requests')) - before
  return signIns(title, server, { open, signInOnce, close, facts: () => ({ toProvider }) })
}

function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
