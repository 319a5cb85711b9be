/** Routes that ask who is signed in by a cookie: the work of every request. */
import { signedInCookie } from '../harness/sign-in.mjs'
import { claimsOf, mints } from '../harness/tokens.mjs'

const sizes = { '200-B': 200, '2-kB': 2000, '8-kB': 8000 }

/** The peers that can be asked for a session, by the name in the tables. */
const peers = {
  'express-session + passport': ['sessions', 'passport'],
  'iron-session': ['sessions', 'iron-session'],
  'express-openid-connect': ['openid-connect', 'encrypted cookie'],
  'Better Auth, cookie cache': ['better-auth', 'cookie cache'],
  '@auth/express': ['auth-js', 'encrypted cookie'],
}

async function startPeers(bench, { withProvider = true } = {}) {
  const provider = withProvider ? await bench.provider() : undefined
  const started = {}
  for (const [title, [module, name]] of Object.entries(peers)) {
    if (module === 'openid-connect' && !provider) continue
    started[title] = await bench.start(module, name, module === 'openid-connect' ? { issuer: provider.origin } : {})
  }
  return started
}

async function startOwn(bench) {
  return {
    express: await bench.start('bare', 'express'),
    codec: await bench.start('codec', 'codec'),
    remembering: await bench.start('codec', 'codec with a memory'),
    ours: await bench.start('ours', 'getSession'),
  }
}

export const guarded = {
  id: 'guarded',
  title: 'A guarded route',
  about:
    'The route reads the session and answers 200 with the user name. Sizes are those of the claims as JSON; the cookie is a third longer. A hot token is sent with every request; each distinct token is sent once.',
  async run(bench) {
    const { express, codec, remembering, ours } = await startOwn(bench)
    const authJs = await bench.start('auth-js', 'encrypted cookie')
    const [mint, mintAuthJs] = [await mints.ours(), await mints['auth-js']()]
    const tables = [await hotToken(bench, { express, codec, remembering, ours })]
    for (const [label, bytes] of Object.entries(sizes)) {
      const claims = claimsOf(bytes)
      const size = label.replace('-', ' ')
      const [cookie, cookieAuthJs] = [await mint(claims), await mintAuthJs(claims)]
      if (bytes > 200) {
        const rows = await bench.compare([
          bench.get('Express', express, { cookie }),
          bench.get('bare codec', codec, { cookie }),
          bench.get('cached bare codec', remembering, { cookie }),
          bench.get('server-auth', ours, { cookie }),
          bench.get('@auth/express', authJs, { cookie: cookieAuthJs }),
        ])
        tables.push({ id: `hot-${label}`, title: `One hot token, ${size}`, rows })
      }
      const rows = await bench.compare([
        bench.distinct('Express', express, () => mint(claims)),
        bench.distinct('bare codec', codec, () => mint(claims)),
        bench.distinct('server-auth', ours, () => mint(claims)),
        bench.distinct('@auth/express', authJs, () => mintAuthJs(claims)),
      ])
      tables.push({ id: `distinct-${label}`, title: `All tokens distinct, ${size}`, rows })
    }
    return tables
  },
}

/** All variants have the cookies of their own sign-in. */
async function hotToken(bench, { express, codec, remembering, ours }) {
  const started = await startPeers(bench)
  const cookie = await signedInCookie(ours)
  const variants = [
    bench.get('Express', express, { cookie }),
    bench.get('bare codec', codec, { cookie }),
    bench.get('cached bare codec', remembering, { cookie }),
    bench.get('server-auth', ours, { cookie }),
  ]
  for (const [title, server] of Object.entries(started)) {
    const provider = server.module === 'openid-connect' ? await bench.provider() : undefined
    variants.push(bench.get(title, server, { cookie: await signedInCookie(server, provider) }))
  }
  return { id: 'hot-200-B', title: 'One hot token, 200 B', rows: await bench.compare(variants) }
}

export const anonymous = {
  id: 'anonymous',
  title: 'A guarded route without a session',
  about: 'The request has no cookie, and the route answers 401. Express alone answers 401 without a check.',
  async run(bench) {
    const express = await bench.start('bare', 'express', { anonymous: true })
    const { codec, ours } = await startOwn(bench)
    const started = { Express: express, 'bare codec': codec, 'server-auth': ours, ...(await startPeers(bench)) }
    const variants = Object.entries(started).map(([title, server]) => bench.get(title, server, { status: 401 }))
    return [{ id: 'anonymous', title: 'Anonymous', rows: await bench.compare(variants) }]
  },
}

export const session = {
  id: 'session',
  title: 'GET session',
  about: 'The route that returns the session to the browser. Express alone answers with a constant.',
  async run(bench) {
    const { express, codec, ours } = await startOwn(bench)
    const authJs = await bench.start('auth-js', 'encrypted cookie')
    const betterAuth = await bench.start('better-auth', 'cookie cache')
    const path = '/auth/session'
    const cookie = await signedInCookie(ours)
    const rows = await bench.compare([
      bench.get('Express', express, { path, cookie }),
      bench.get('bare codec', codec, { path, cookie }),
      bench.get('server-auth', ours, { path, cookie }),
      bench.get('Better Auth, cookie cache', betterAuth, {
        path: '/api/auth/get-session',
        cookie: await signedInCookie(betterAuth),
      }),
      bench.get('@auth/express', authJs, { path, cookie: await signedInCookie(authJs) }),
    ])
    return [{ id: 'session', title: 'GET session', rows }]
  },
}

export const doors = {
  id: 'doors',
  title: 'Functions that read a session',
  about: 'The same guarded route with each function that reads the session, with one hot token of 200 B.',
  async run(bench) {
    const express = await bench.start('bare', 'express')
    const cookie = await (await mints.ours())(claimsOf(200))
    const variants = [bench.get('Express', express, { cookie })]
    for (const [title, name] of [
      ['getSession(req, config)', 'getSession'],
      ['defineAuth(config).getSession(req)', 'defineAuth'],
      ['requireSession(config)', 'requireSession'],
    ]) {
      variants.push(bench.get(title, await bench.start('ours', name), { cookie }))
    }
    return [{ id: 'doors', title: 'Doors', rows: await bench.compare(variants) }]
  },
}
