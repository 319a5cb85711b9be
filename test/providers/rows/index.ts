/** The whole catalogue, as tests know it. */
import type { Entry } from './entry.js'
import { rows as first } from './first.js'
import { rows as oauthA } from './oauth-a.js'
import { rows as oauthB } from './oauth-b.js'
import { rows as oauthC } from './oauth-c.js'
import { rows as oauthD } from './oauth-d.js'
import { rows as oidcA } from './oidc-a.js'
import { rows as oidcB } from './oidc-b.js'

/** The entries by id. */
export const catalogue: Readonly<Record<string, Entry>> = {
  ...first,
  ...oauthA,
  ...oauthB,
  ...oauthC,
  ...oauthD,
  ...oidcA,
  ...oidcB,
}
