/** A whole sign-in with Discord, as its servers answer. The tests of pictures are in `catalogue.test.ts`. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import Discord from '../../lib/providers/discord.js'
import type { Provider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { secret } from '../support/app.js'
import { answerAt, asked, reroute } from './internet.js'

const nelly = {
  id: '80351110224678912',
  username: 'nelly',
  discriminator: '0',
  global_name: 'Nelly',
  avatar: 'a_1269e74af4df7417b13759eae50c83dc',
  email: 'nelly@discord.com',
  verified: true,
  mfa_enabled: true,
  locale: 'en-US',
}

describe('Discord', () => {
  const stage = useStage()
  const tokens = {
    token_type: 'Bearer',
    access_token: '6qrZcUqja7812RVdnEKjpzOL4CvHBFG',
    expires_in: 604800,
    refresh_token: 'D43f5y0ahjqew82jZ4NViEr2YafMKhue',
    scope: 'identify email',
  }

  beforeEach(async () => {
    const given = { clientId: '157730590492196864', clientSecret: 'discord-secret' }
    await stage.restart({}, { providers: [Discord({ ...given, [customFetch]: reroute(stage.provider) })] })
    answerAt(stage.provider, { 'discord.com/api/oauth2/token': tokens, 'discord.com/api/users/@me': nelly })
  })

  const signIn = async () => stage.browser.get(stage.provider.authorize(await stage.begin('discord'), { iss: null }))

  it('signs in, with an animated picture', async () => {
    await stage.expectSignedIn(await signIn())
    expect(asked(stage.provider)).to.deep.equal(['discord.com/api/oauth2/token', 'discord.com/api/users/@me'])
    const [told] = stage.signedIn
    expect(told?.user).to.include({
      name: 'Nelly',
      email: 'nelly@discord.com',
      image: `https://cdn.discordapp.com/avatars/${nelly.id}/${nelly.avatar}.gif`,
    })
    expect(told?.account).to.include({ providerAccountId: nelly.id, refresh_token: tokens.refresh_token })
  })

  for (const [discriminator, index] of [
    ['0', Number((BigInt(nelly.id) >> 22n) % 6n)],
    ['1337', 2],
  ] as const) {
    it(`signs in without a picture and address, with the discriminator ${discriminator}`, async () => {
      answerAt(stage.provider, {
        'discord.com/api/users/@me': { ...nelly, avatar: null, email: null, global_name: null, discriminator },
      })
      await stage.expectSignedIn(await signIn())
      expect(stage.signedIn[0]?.user).to.include({
        name: 'nelly',
        email: null,
        image: `https://cdn.discordapp.com/embed/avatars/${index}.png`,
      })
    })
  }

  it('takes an id as it is: as a number it would be another person’s', async () => {
    answerAt(stage.provider, { 'discord.com/api/users/@me': { ...nelly, id: '1058043123456789013' } })
    await stage.expectSignedIn(await signIn())
    expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('1058043123456789013')
  })

  for (const [verified, proved] of [
    [true, true],
    [false, false],
    [undefined, false],
  ] as const) {
    it(`takes \`verified: ${verified}\` for ${proved ? 'a proof' : 'no proof'} of the address`, async () => {
      const given = { clientId: '157730590492196864', clientSecret: 'discord-secret' }
      const provider = Discord({ ...given, [customFetch]: reroute(stage.provider) })
      await stage.restart({}, { providers: [provider], adapter: memoryAdapter() })
      answerAt(stage.provider, { 'discord.com/api/users/@me': { ...nelly, verified } })
      await stage.expectSignedIn(await signIn())
      const user: object = stage.signedIn[0]?.user ?? {}
      expect('emailVerified' in user && user.emailVerified instanceof Date).to.equal(proved)
    })
  }

  it('proves nothing by the word for an address that is empty', async () => {
    const given = { clientId: '157730590492196864', clientSecret: 'discord-secret' }
    const provider = Discord({ ...given, [customFetch]: reroute(stage.provider) })
    await stage.restart({}, { providers: [provider], adapter: memoryAdapter() })
    answerAt(stage.provider, { 'discord.com/api/users/@me': { ...nelly, email: '', verified: true } })
    await stage.expectSignedIn(await signIn())
    expect(stage.signedIn[0]?.user).to.include({ emailVerified: null })
  })

  it('vouches for no address that a `profile` of your own takes from elsewhere', () => {
    const given = { clientId: 'id', clientSecret: 'secret' }
    const resolve = (provider: Provider) => resolveConfig({ secret, providers: [provider] }).providers.get('discord')
    const profile = () => ({ id: '1', email: 'another@example.com' })
    const emailVerified = () => true
    expect(resolve(Discord(given))).to.have.property('emailVerified')
    expect(resolve(Discord({ ...given, profile }))).not.to.have.property('emailVerified')
    expect(resolve(Discord({ ...given, profile, emailVerified }))).to.have.property('emailVerified', emailVerified)
  })
})
