/** OpenID Connect, from L to Z. */
import Hydra from '../../../lib/providers/hydra.js'
import LinkedIn from '../../../lib/providers/linkedin.js'
import Logto from '../../../lib/providers/logto.js'
import Okta from '../../../lib/providers/okta.js'
import OneLogin from '../../../lib/providers/onelogin.js'
import Passage from '../../../lib/providers/passage.js'
import PingId from '../../../lib/providers/ping-id.js'
import Roblox from '../../../lib/providers/roblox.js'
import Salesforce from '../../../lib/providers/salesforce.js'
import SimpleLogin from '../../../lib/providers/simplelogin.js'
import Slack from '../../../lib/providers/slack.js'
import Twitch from '../../../lib/providers/twitch.js'
import UnitedEffects from '../../../lib/providers/united-effects.js'
import Vipps from '../../../lib/providers/vipps.js'
import Zitadel from '../../../lib/providers/zitadel.js'
import { type Entry, oidc, pkce } from './entry.js'

const scope = 'openid profile email'

/** The profile of all providers that use the standard claims. */
const ada = {
  profile: {
    sub: '00uid4BxXw6I6TV4m0g3',
    name: 'Ada Lovelace',
    preferred_username: 'ada@example.com',
    email: 'Ada@example.com',
    email_verified: true,
    picture: 'https://img.example/ada.png',
  },
  user: {
    id: '00uid4BxXw6I6TV4m0g3',
    name: 'Ada Lovelace',
    email: 'Ada@example.com',
    image: 'https://img.example/ada.png',
  },
}
/** A person of whom nothing is known but a user name. */
const unnamed = {
  profile: { sub: '1', preferred_username: 'ada' },
  user: { id: '1', name: 'ada', email: null, image: null },
}
/** A person of whom nothing is known. */
const nobody = { profile: { sub: '1' }, user: { id: '1', name: null, email: null, image: null } }

function discovery(issuer: string): NonNullable<Entry['discovery']> {
  return { url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, issuer }
}

export const rows: Readonly<Record<string, Entry>> = {
  hydra: {
    create: Hydra,
    variable: 'HYDRA',
    issuer: 'https://acme.projects.oryapis.com',
    authorization: 'https://acme.projects.oryapis.com/oauth2/auth',
    params: oidc,
    discovery: discovery('https://acme.projects.oryapis.com'),
    people: [ada, nobody],
  },
  linkedin: {
    create: LinkedIn,
    variable: 'LINKEDIN',
    needsSecret: true,
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    params: { scope },
    discovery: discovery('https://www.linkedin.com/oauth'),
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          sub: '782bbtaQ',
          name: 'Ada Lovelace',
          given_name: 'Ada',
          family_name: 'Lovelace',
          picture: 'https://media.licdn.com/dms/image/C5F03AQHqK8v7tB1HCQ/0',
          locale: 'en_US',
          email: 'ada@example.com',
          email_verified: 'true',
        },
        user: {
          id: '782bbtaQ',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://media.licdn.com/dms/image/C5F03AQHqK8v7tB1HCQ/0',
        },
      },
      nobody,
    ],
  },
  logto: {
    create: Logto,
    variable: 'LOGTO',
    issuer: 'https://acme.logto.app/oidc',
    authorization: 'https://acme.logto.app/oidc/auth',
    params: { ...oidc, scope: 'offline_access openid email profile' },
    discovery: discovery('https://acme.logto.app/oidc'),
    people: [
      {
        profile: {
          sub: 'rb1kmvmd07ki',
          name: 'Ada Lovelace',
          username: 'ada',
          picture: 'https://img.example/ada.png',
          email: 'ada@example.com',
          email_verified: true,
        },
        user: {
          id: 'rb1kmvmd07ki',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://img.example/ada.png',
        },
      },
      {
        profile: { sub: '1', name: null, username: 'ada', picture: null, email: null },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
      nobody,
    ],
  },
  okta: {
    create: Okta,
    variable: 'OKTA',
    issuer: 'https://acme.okta.com',
    authorization: 'https://acme.okta.com/oauth2/v1/authorize',
    params: oidc,
    discovery: discovery('https://acme.okta.com'),
    people: [ada, unnamed],
  },
  onelogin: {
    create: OneLogin,
    variable: 'ONELOGIN',
    issuer: 'https://acme.onelogin.com/oidc/2',
    authorization: 'https://acme.onelogin.com/oidc/2/auth',
    params: oidc,
    discovery: discovery('https://acme.onelogin.com/oidc/2'),
    people: [ada, unnamed],
  },
  passage: {
    create: Passage,
    variable: 'PASSAGE',
    gone: '2026-01-16',
    authorization: 'https://auth.passage.id/authorize',
    params: oidc,
    people: [],
  },
  'ping-id': {
    create: PingId,
    variable: 'PING_ID',
    issuer: 'https://auth.pingone.eu/3a1e3c5b-0c4f-4d8e-8a55-5b0c1d3e2f10/as',
    authorization: 'https://auth.pingone.eu/3a1e3c5b-0c4f-4d8e-8a55-5b0c1d3e2f10/as/authorize',
    params: oidc,
    discovery: discovery('https://auth.pingone.eu/3a1e3c5b-0c4f-4d8e-8a55-5b0c1d3e2f10/as'),
    people: [ada, unnamed],
  },
  roblox: {
    create: Roblox,
    variable: 'ROBLOX',
    authorization: 'https://apis.roblox.com/oauth/v1/authorize',
    params: { ...oidc, scope: 'openid profile' },
    discovery: discovery('https://apis.roblox.com/oauth/'),
    people: [
      {
        profile: {
          sub: '12345678',
          name: 'Ada L.',
          nickname: 'Ada L.',
          preferred_username: 'ada',
          created_at: 1607354232,
          profile: 'https://www.roblox.com/users/12345678/profile',
          picture: 'https://tr.rbxcdn.com/03dee1/150/150/AvatarHeadshot/Png',
        },
        user: {
          id: '12345678',
          name: 'Ada L.',
          email: null,
          image: 'https://tr.rbxcdn.com/03dee1/150/150/AvatarHeadshot/Png',
        },
      },
      {
        // A picture that is not made yet, or was taken down.
        profile: { sub: '1', name: 'Ada', picture: null },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
    ],
  },
  salesforce: {
    create: Salesforce,
    variable: 'SALESFORCE',
    authorization: 'https://login.salesforce.com/services/oauth2/authorize',
    params: oidc,
    discovery: discovery('https://login.salesforce.com'),
    people: [
      {
        profile: {
          sub: 'https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P',
          user_id: '005x00000012Q9P',
          organization_id: '00Dx0000000BV7z',
          preferred_username: 'ada@example.com',
          nickname: 'ada',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          email_verified: true,
          picture: 'https://acme.my.salesforce.com/profilephoto/005/F',
        },
        user: {
          id: 'https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://acme.my.salesforce.com/profilephoto/005/F',
        },
      },
      nobody,
    ],
  },
  simplelogin: {
    create: SimpleLogin,
    variable: 'SIMPLELOGIN',
    needsSecret: true,
    authorization: 'https://app.simplelogin.io/oauth2/authorize',
    params: { scope, ...pkce },
    discovery: discovery('https://app.simplelogin.io'),
    people: [
      {
        profile: {
          sub: '4711',
          id: 4711,
          client: 'Example',
          name: 'Ada Lovelace',
          email: 'example.x7k2@simplelogin.example',
          email_verified: true,
          avatar_url: 'https://s3.example/ada.png',
        },
        user: {
          id: '4711',
          name: 'Ada Lovelace',
          email: 'example.x7k2@simplelogin.example',
          image: 'https://s3.example/ada.png',
        },
      },
      {
        profile: { sub: '1', name: null, avatar_url: null },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  slack: {
    create: Slack,
    variable: 'SLACK',
    needsSecret: true,
    authorization: 'https://slack.com/openid/connect/authorize',
    params: { scope, nonce: '*' },
    discovery: discovery('https://slack.com'),
    people: [
      {
        profile: {
          sub: 'U0R7MFMJM',
          'https://slack.com/user_id': 'U0R7MFMJM',
          'https://slack.com/team_id': 'T0R7GR7NW',
          email: 'ada@example.com',
          email_verified: true,
          date_email_verified: 1622128723,
          name: 'Ada Lovelace',
          picture: 'https://secure.gravatar.com/avatar/0.jpg',
          given_name: 'Ada',
          family_name: 'Lovelace',
          locale: 'en-US',
        },
        user: {
          id: 'U0R7MFMJM',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://secure.gravatar.com/avatar/0.jpg',
        },
      },
      nobody,
    ],
  },
  twitch: {
    create: Twitch,
    variable: 'TWITCH',
    needsSecret: true,
    authorization: 'https://id.twitch.tv/oauth2/authorize',
    params: {
      ...oidc,
      scope: 'openid user:read:email',
      claims: '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    discovery: discovery('https://id.twitch.tv/oauth2'),
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          sub: '713936733',
          preferred_username: 'ada',
          email: 'ada@example.com',
          email_verified: true,
          picture: 'https://static-cdn.jtvnw.net/user-default-pictures-uv/0-profile_image-70x70.png',
        },
        user: {
          id: '713936733',
          name: 'ada',
          email: 'ada@example.com',
          image: 'https://static-cdn.jtvnw.net/user-default-pictures-uv/0-profile_image-70x70.png',
        },
      },
      unnamed,
    ],
  },
  'united-effects': {
    create: UnitedEffects,
    variable: 'UNITED_EFFECTS',
    issuer: 'https://auth.unitedeffects.com/acme',
    authorization: 'https://auth.unitedeffects.com/acme/auth',
    params: { ...oidc, scope: 'openid email profile', resource: 'https://auth.unitedeffects.com/acme' },
    discovery: discovery('https://auth.unitedeffects.com/acme'),
    people: [ada, nobody],
  },
  vipps: {
    create: Vipps,
    variable: 'VIPPS',
    needsSecret: true,
    authorization: 'https://api.vipps.no/access-management-1.0/access/oauth2/auth',
    params: { ...oidc, scope: 'openid name email' },
    discovery: discovery('https://api.vipps.no/access-management-1.0/access/'),
    people: [
      {
        profile: {
          sub: 'c06c4afe-d9e1-4c5d-939a-177d752a0944',
          sid: '7d78a726-af92-499e-b857-de263ef9a969',
          name: 'Ada Lovelace',
          given_name: 'Ada',
          family_name: 'Lovelace',
          email: 'ada@example.com',
          email_verified: true,
        },
        user: {
          id: 'c06c4afe-d9e1-4c5d-939a-177d752a0944',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: null,
        },
      },
      nobody,
    ],
  },
  zitadel: {
    create: Zitadel,
    variable: 'ZITADEL',
    issuer: 'https://acme-1a2b3c.zitadel.cloud',
    authorization: 'https://acme-1a2b3c.zitadel.cloud/oauth/v2/authorize',
    params: oidc,
    discovery: discovery('https://acme-1a2b3c.zitadel.cloud'),
    people: [ada, unnamed],
  },
}
