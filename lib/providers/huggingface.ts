/** Hugging Face — https://huggingface.co/docs/hub/oauth · callback: <origin>/auth/callback/huggingface */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Hugging Face's id_token. */
export interface HuggingFaceProfile {
  sub: string
  name?: string
  preferred_username?: string
  /** URL of the person's page. */
  profile?: string
  picture?: string
  website?: string
  email?: string
  email_verified?: boolean
  isPro?: boolean
  [claim: string]: unknown
}

/** Signs in with Hugging Face. The OAuth app there needs the scopes `openid`, `profile` and `email`. */
export default function HuggingFace(options: OIDCUserConfig<HuggingFaceProfile> = {}): OIDCConfig<HuggingFaceProfile> {
  return {
    id: 'huggingface',
    name: 'Hugging Face',
    type: 'oidc',
    issuer: 'https://huggingface.co',
    checks: ['state', 'pkce'],
    style: { brandColor: '#FFD21E' },
    options,
  }
}
