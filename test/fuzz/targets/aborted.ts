/** Clients that are gone before they have an answer, or before they have asked. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { base } from '../site.js'
import { Stranger } from '../stranger.js'
import { giveUp, toBytes } from '../wire.js'

const paths = ['/signin/test', '/signin/email', '/callback/credentials', '/callback/test', '/signout', '/session']

/** A POST that breaks off somewhere; the next client is answered as ever. */
export const aborted = target(
  'aborted',
  fc.record({ path: fc.constantFrom(...paths), isWhole: fc.boolean(), share: fc.nat(99), milliseconds: fc.nat(6) }),
  async (site, { path, isWhole, share, milliseconds }) => {
    const stranger = new Stranger(site)
    const headers = [['host', 'localhost'], ['content-type', 'application/json'], ...stranger.own] as const
    const body = JSON.stringify({
      username: 'ann',
      password: 'wrong',
      email: 'ann@example.com',
      much: 'x'.repeat(9000),
    })
    const bytes = toBytes({ method: 'POST', target: base + path, headers, body })
    await giveUp(site.port, isWhole ? bytes : bytes.subarray(0, (bytes.length * share) / 100), milliseconds)
    await stranger.expectNobody('after a client that was gone')
  },
)
