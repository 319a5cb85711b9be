/**
 * Tests of the pictures of users: a picture from any provider is rejected if it could run code where a page shows it.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { useStage } from '../flows/oauth/stage.js'
import { credentials } from '../support/app.js'
import { openExpress, openShim } from '../support/doors.js'

const pixel = 'iVBORw0KGgo='

const refused: readonly unknown[] = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload="alert(1)"/>',
  'data:image/png+xml,x',
  'data:,x',
  'blob:https://app.example.com/x',
  'file:///etc/passwd',
  'https://[bad',
  '',
  7,
  {},
  ['https://app.example.com/a.png'],
]

const kept = [
  'https://op.example/a.png?size=2#x',
  'http://op.example/a.png',
  '//op.example/a.png',
  '/avatars/ann.png',
  `data:image/png;base64,${pixel}`,
  `DATA:image/JPEG;base64,${pixel}`,
]

/** Returns the picture in the session after a sign-in, and that of the stored user. */
type Reader = (image: unknown) => Promise<{ image: unknown; stored: unknown }>

function describePictures(title: string, signIn: (image: unknown) => ReturnType<Reader>): void {
  describe(title, () => {
    it('XS-05 is no URL that runs code, and nothing other than an image', async () => {
      for (const image of refused) {
        expect(await signIn(image), JSON.stringify(image)).to.deep.equal({ image: null, stored: null })
      }
    })

    it('is an http(s) URL, a path or the data of an image', async () => {
      for (const image of kept) expect(await signIn(image)).to.deep.equal({ image, stored: image })
    })
  })
}

const doors = [
  ['the Router', (config: Partial<FullStackAuthConfig>) => openExpress(config)],
  ['the handlers', openShim],
] as const

for (const [name, open] of doors) {
  describePictures(`the picture that \`authorize\` returned, in a token, through ${name}`, async (image) => {
    const authorize = () => ({ id: '1', name: 'Ann', image: image as string })
    const seen: unknown[] = []
    const door = await open({
      providers: [credentials({ authorize })],
      callbacks: {
        jwt({ token, user, trigger }) {
          if (trigger === 'signIn') seen.push(token.picture ?? null, user?.image)
          return token
        },
      },
    })
    const visitor = door.browser()
    await visitor.signIn()
    const { user } = (await visitor.ask('/api/auth/session')).body
    await door.close()
    expect(seen[0]).to.equal(seen[1])
    return { image: user.image, stored: seen[0] }
  })

  describePictures(`the picture that \`authorize\` returned, in a row, through ${name}`, async (image) => {
    const authorize = () => ({ id: '1', email: 'ann@example.com', image: image as string })
    const adapter = memoryAdapter()
    const door = await open({ providers: [credentials({ authorize })], adapter, session: { strategy: 'database' } })
    const visitor = door.browser()
    await visitor.signIn()
    const { user } = (await visitor.ask('/api/auth/session')).body
    await door.close()
    return { image: user.image, stored: (await adapter.getUserByEmail('ann@example.com'))?.image }
  })
}

describe('the picture that an OAuth provider returns', () => {
  const stage = useStage()

  describePictures('in a token', async (picture) => {
    await stage.restart()
    stage.provider.onToken = (body) => stage.provider.tokens(body, { picture })
    await stage.expectSignedIn(await stage.signIn())
    const { user } = (await stage.browser.session()) as { user: { image: unknown } }
    return { image: user.image, stored: stage.signedIn[0]?.user.image }
  })

  describePictures('in a row', async (picture) => {
    const adapter = memoryAdapter()
    await stage.restart({}, { adapter })
    stage.provider.onToken = (body) => stage.provider.tokens(body, { picture })
    await stage.signIn()
    const { user } = (await stage.browser.session()) as { user: { image: unknown } }
    const key = { provider: 'test', providerAccountId: 'person-1' }
    return { image: user.image, stored: (await adapter.getUserByAccount(key))?.image }
  })
})
