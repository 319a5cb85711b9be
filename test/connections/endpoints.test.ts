/** Each URL of an identity provider leads to a private host: at once, in a later answer, or by a redirect. No connection is made. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { inTurn, sample } from '../support/extent.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import type { Browser } from '../support/http-browser.js'
import { privateHosts } from './private-hosts.js'
import { base, openWorld, type Stage, stagesOf, type World } from './stage.js'

/** The URLs in metadata, with the paths of the provider. */
const paths = {
  issuer: '/.well-known/openid-configuration',
  authorization_endpoint: '/authorize',
  token_endpoint: '/token',
  jwks_uri: '/jwks',
  userinfo_endpoint: '/userinfo',
  end_session_endpoint: '/logout',
} as const

type Kind = keyof typeof paths

/** Makes a URL lead to a target, before or after the connection is created. */
const ways = {
  'in the first answer': { change: point, isFirst: () => true },
  'in a later answer': { change: point, isFirst: () => false },
  'by a redirect': { change: redirect, isFirst: (at: number) => at % 4 === 0 },
}

function point(idp: HostileProvider, kind: Kind, target: string): void {
  idp.discovery[kind] = target
}

function redirect(idp: HostileProvider, kind: Kind, target: string): void {
  idp.routes.set(paths[kind], () => ({ status: 302, headers: { location: target } }))
}

describe('URLs of an identity provider that lead to private hosts', () => {
  let world: World
  let idp: HostileProvider
  let listener: Server
  let port = 0
  let connections = 0
  before(async () => {
    world = await openWorld()
    idp = await startHostileProvider({ host: '127.0.0.1' })
    // Counts connections, whatever they say.
    listener = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => listener.listen(0, resolve))
    port = (listener.address() as AddressInfo).port
  })
  after(async () => {
    await Promise.all([world.close(), idp.close()])
    await new Promise((resolve) => listener.close(resolve))
  })
  beforeEach(() => {
    connections = 0
  })

  /** Opens an application whose owner connects one organization after the other. */
  const open = async (door: 'express' | 'shim') => {
    const connectionsOption = { privateOrigins: [idp.issuer], provision: 'everybody' } as const
    const stage = await stagesOf(() => world)[door]('jwt')({ connections: connectionsOption })
    const owner = await stage.signIn('owner@acme.example')
    let count = 0
    return {
      stage,
      async create(issuer = idp.issuer): Promise<string | undefined> {
        const organization = `acme-${count++}`
        stage.members.set(owner.userId, organization, 'owner')
        const wanted = { organization, name: 'Acme', ...idp.settings, issuer }
        const made = await stage.call(owner.browser, 'create', wanted)
        if (made.ok) await stage.call(owner.browser, 'set', made.id, { state: 'on' })
        return made.ok ? made.id : undefined
      },
    }
  }
  const signInBy = async (stage: Stage, id: string): Promise<Browser> => {
    const browser = stage.browser()
    const { headers } = await browser.submit(`${base}/signin/${id}`)
    if (headers.location?.includes('code_challenge=')) await browser.get(idp.authorize(headers.location))
    return browser
  }

  for (const [turn, kind] of (Object.keys(paths) as Kind[]).entries()) {
    for (const [way, { change, isFirst }] of Object.entries(ways)) {
      for (const door of inTurn(['express', 'shim'] as const, turn)) {
        it(`CN-01 reach none by \`${kind}\` ${way}, at ${door}`, async function () {
          this.timeout(120_000)
          const { stage, create } = await open(door)
          try {
            for (const [at, host] of sample(privateHosts, turn).entries()) {
              const target = `${at % 2 === 0 ? 'https' : 'http'}://${host}:${port}/`
              idp.reset()
              // Without an address in the id_token, the userinfo endpoint is called.
              if (kind === 'userinfo_endpoint') idp.person = { sub: 'person-1', name: 'Hostile Person' }
              if (isFirst(at)) change(idp, kind, target)
              const isDirect = kind === 'issuer' && change === point && isFirst(at)
              const id = await create(isDirect ? target : undefined)
              expect(isDirect && id !== undefined, target).to.equal(false)
              if (!isFirst(at)) change(idp, kind, target)
              if (id !== undefined) await signInBy(stage, id)
              expect(connections, target).to.equal(0)
            }
            idp.reset()
            const id = (await create()) ?? ''
            expect((await (await signInBy(stage, id)).session(base))?.user?.name).to.equal('Hostile Person')
          } finally {
            await stage.close()
          }
        })
      }
    }
  }
})
