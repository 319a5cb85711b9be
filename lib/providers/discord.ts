/** Discord — https://discord.com/developers/docs/topics/oauth2 · callback: <origin>/auth/callback/discord */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Discord's user endpoint tells. */
export interface DiscordProfile {
  /** A snowflake: a 64-bit number as text. */
  id: string
  username: string
  /** `0` for names of the new kind. */
  discriminator: string
  global_name: string | null
  avatar: string | null
  email?: string | null
  /** Whether the address is verified. */
  verified?: boolean
  [field: string]: unknown
}

/** Signs in with Discord. Add the callback URL under "OAuth2" of the application. */
export default function Discord(options: OAuthUserConfig<DiscordProfile> = {}): OAuth2Config<DiscordProfile> {
  return {
    id: 'discord',
    name: 'Discord',
    type: 'oauth',
    authorization: { url: 'https://discord.com/api/oauth2/authorize', params: { scope: 'identify email' } },
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    profile: (profile) => ({
      id: profile.id,
      name: profile.global_name ?? profile.username,
      email: profile.email ?? null,
      image: avatarOf(profile),
    }),
    emailVerified: ({ verified }) => verified,
    style: { brandColor: '#5865F2' },
    options,
  }
}

/** The person's picture, animated where its hash says so; else one of Discord's own, chosen as its client does. */
function avatarOf({ id, avatar, discriminator }: DiscordProfile): string {
  const cdn = 'https://cdn.discordapp.com'
  if (avatar) return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  const index = discriminator === '0' ? Number(BigInt(id) >> 22n) % 6 : Number(discriminator) % 5
  return `${cdn}/embed/avatars/${index}.png`
}
