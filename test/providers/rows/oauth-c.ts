/** Plain OAuth 2, Netlify to Threads. */
import Netlify from '../../../lib/providers/netlify.js'
import NetSuite from '../../../lib/providers/netsuite.js'
import Nextcloud from '../../../lib/providers/nextcloud.js'
import Notion from '../../../lib/providers/notion.js'
import Osso from '../../../lib/providers/osso.js'
import Osu from '../../../lib/providers/osu.js'
import Patreon from '../../../lib/providers/patreon.js'
import Pinterest from '../../../lib/providers/pinterest.js'
import Pipedrive from '../../../lib/providers/pipedrive.js'
import Reddit from '../../../lib/providers/reddit.js'
import Spotify from '../../../lib/providers/spotify.js'
import Strava from '../../../lib/providers/strava.js'
import Threads from '../../../lib/providers/threads.js'
import { type Entry, pkce } from './entry.js'

const nextcloudUser = { id: 'ada', enabled: true, displayname: 'Ada Lovelace', email: 'ada@example.com', quota: {} }
const notionUser = {
  object: 'user',
  id: '6794760a-1f15-45cd-9c65-0dfe42f5135a',
  name: 'Ada Lovelace',
  avatar_url: 'https://s3-us-west-2.amazonaws.com/public.notion-static.com/ada.jpg',
  type: 'person',
  person: { email: 'ada@example.com' },
}

export const rows: Readonly<Record<string, Entry>> = {
  netlify: {
    create: Netlify,
    variable: 'NETLIFY',
    needsSecret: true,
    authorization: 'https://app.netlify.com/authorize',
    params: pkce,
    people: [
      {
        profile: {
          id: '5b3d2c1a4f6e7a0012345678',
          uid: 'ada',
          full_name: 'Ada Lovelace',
          avatar_url: 'https://avatars.githubusercontent.com/u/1?v=4',
          email: 'ada@example.com',
          site_count: 3,
          login_providers: ['github'],
        },
        user: {
          id: '5b3d2c1a4f6e7a0012345678',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://avatars.githubusercontent.com/u/1?v=4',
        },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  netsuite: {
    create: NetSuite,
    variable: 'NETSUITE',
    required: {
      accountID: '1234567_SB1',
      userinfo: 'https://1234567-sb1.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=42&deploy=1',
    },
    authorization: 'https://1234567-sb1.app.netsuite.com/app/login/oauth2/authorize.nl',
    params: { scope: 'restlets rest_webservices', ...pkce },
    people: [
      {
        profile: { id: 4622, name: 'Ada Lovelace', email: 'ada@example.com', role: 3, department: 0, location: 1 },
        user: { id: '4622', name: 'Ada Lovelace', email: 'ada@example.com', image: null },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  nextcloud: {
    create: Nextcloud,
    variable: 'NEXTCLOUD',
    issuer: 'https://cloud.example',
    needsSecret: true,
    authorization: 'https://cloud.example/apps/oauth2/authorize',
    params: pkce,
    people: [
      {
        profile: nextcloudUser,
        user: {
          id: 'ada',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://cloud.example/avatar/ada/512',
        },
      },
      {
        profile: { id: 'ada@work/1', email: null },
        user: {
          id: 'ada@work/1',
          name: null,
          email: null,
          image: 'https://cloud.example/avatar/ada%40work%2F1/512',
        },
      },
    ],
    answers: {
      'cloud.example/apps/oauth2/api/v1/token': {
        access_token: 'an-access-token',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: 'a-refresh-token',
        user_id: 'ada',
      },
      'cloud.example/ocs/v1.php/cloud/users/ada': {
        ocs: { meta: { status: 'ok', statuscode: 100, message: 'OK' }, data: nextcloudUser },
      },
    },
  },
  notion: {
    create: Notion,
    variable: 'NOTION',
    needsSecret: true,
    authorization: 'https://api.notion.com/v1/oauth/authorize',
    params: { owner: 'user', ...pkce },
    people: [
      {
        profile: notionUser,
        user: {
          id: notionUser.id,
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: notionUser.avatar_url,
        },
      },
      {
        // Without the capability to read addresses.
        profile: { object: 'user', id: '1', name: null, avatar_url: null, type: 'person', person: {} },
        user: { id: '1', name: null, email: null, image: null },
      },
      { profile: { object: 'user', id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      'api.notion.com/v1/users/me': {
        object: 'user',
        id: '16d84278-ab0e-484c-9bdd-b35da3bd8905',
        name: 'A bot',
        type: 'bot',
        bot: { owner: { type: 'user', user: notionUser } },
      },
    },
  },
  osso: {
    create: Osso,
    variable: 'OSSO',
    issuer: 'https://sso.example/',
    needsSecret: true,
    authorization: 'https://sso.example/oauth/authorize',
    params: pkce,
    people: [
      {
        profile: {
          id: '3b2f1f0e-5a0c-4a53-9a55-2f0d2f4b6b11',
          email: 'ada@example.com',
          name: 'Ada Lovelace',
          idp: 'Okta',
        },
        user: {
          id: '3b2f1f0e-5a0c-4a53-9a55-2f0d2f4b6b11',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: null,
        },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  osu: {
    create: Osu,
    variable: 'OSU',
    needsSecret: true,
    authorization: 'https://osu.ppy.sh/oauth/authorize',
    params: { scope: 'identify', ...pkce },
    people: [
      {
        profile: {
          avatar_url: 'https://a.ppy.sh/3987094?1617474113.png',
          country_code: 'GB',
          id: 3987094,
          is_active: true,
          username: 'ada',
        },
        user: { id: '3987094', name: 'ada', email: null, image: 'https://a.ppy.sh/3987094?1617474113.png' },
      },
      { profile: { id: 1, username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
  patreon: {
    create: Patreon,
    variable: 'PATREON',
    needsSecret: true,
    authorization: 'https://www.patreon.com/oauth2/authorize',
    params: { scope: 'identity identity[email]', ...pkce },
    people: [
      {
        profile: {
          data: {
            type: 'user',
            id: '12345689',
            attributes: {
              email: 'ada@example.com',
              full_name: 'Ada Lovelace',
              image_url: 'https://c8.patreon.com/2/400/12345689',
              is_email_verified: true,
            },
          },
          links: { self: 'https://www.patreon.com/api/oauth2/v2/user/12345689' },
        },
        user: {
          id: '12345689',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://c8.patreon.com/2/400/12345689',
        },
      },
      {
        profile: { data: { type: 'user', id: '1', attributes: {} } },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  pinterest: {
    create: Pinterest,
    variable: 'PINTEREST',
    needsSecret: true,
    authorization: 'https://www.pinterest.com/oauth',
    params: { scope: 'user_accounts:read', ...pkce },
    people: [
      {
        profile: {
          account_type: 'BUSINESS',
          id: '2783136121146311751',
          profile_image: 'https://i.pinimg.com/280x280_RS/ada.jpg',
          website_url: 'https://ada.example',
          username: 'ada',
          business_name: 'Ada’s engines',
        },
        user: {
          id: '2783136121146311751',
          name: 'ada',
          email: null,
          image: 'https://i.pinimg.com/280x280_RS/ada.jpg',
        },
      },
      { profile: { id: '2', username: 'ada' }, user: { id: '2', name: 'ada', email: null, image: null } },
    ],
  },
  pipedrive: {
    create: Pipedrive,
    variable: 'PIPEDRIVE',
    needsSecret: true,
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    params: pkce,
    people: [
      {
        profile: {
          success: true,
          data: {
            id: 1234,
            name: 'Ada Lovelace',
            email: 'ada@example.com',
            icon_url: 'https://upload.example/ada.png',
            company_id: 12,
            company_domain: 'engines',
          },
        },
        user: { id: '1234', name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://upload.example/ada.png' },
      },
      {
        profile: { success: true, data: { id: 1, icon_url: null } },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  reddit: {
    create: Reddit,
    variable: 'REDDIT',
    needsSecret: true,
    authorization: 'https://www.reddit.com/api/v1/authorize',
    params: { scope: 'identity' },
    people: [
      {
        profile: {
          id: '1w72',
          name: 'ada',
          has_verified_email: true,
          snoovatar_img: '',
          icon_img: 'https://styles.redditmedia.com/t5_1/styles/profileIcon.png?width=256&s=0',
        },
        user: {
          id: '1w72',
          name: 'ada',
          email: null,
          image: 'https://styles.redditmedia.com/t5_1/styles/profileIcon.png?width=256&s=0',
        },
      },
      {
        profile: {
          id: '1',
          name: 'ada',
          snoovatar_img: 'https://i.redd.it/s.png',
          icon_img: 'https://i.redd.it/i.png',
        },
        user: { id: '1', name: 'ada', email: null, image: 'https://i.redd.it/s.png' },
      },
      { profile: { id: '1', name: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
  spotify: {
    create: Spotify,
    variable: 'SPOTIFY',
    authorization: 'https://accounts.spotify.com/authorize',
    params: { scope: 'user-read-email', ...pkce },
    people: [
      {
        profile: {
          display_name: 'Ada',
          email: 'ada@example.com',
          id: 'wizzler',
          images: [
            { url: 'https://i.scdn.co/image/300', height: 300, width: 300 },
            { url: 'https://i.scdn.co/image/64', height: 64, width: 64 },
          ],
          type: 'user',
          uri: 'spotify:user:wizzler',
        },
        user: { id: 'wizzler', name: 'Ada', email: 'ada@example.com', image: 'https://i.scdn.co/image/300' },
      },
      {
        profile: { id: '1', display_name: null, images: [] },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  strava: {
    create: Strava,
    variable: 'STRAVA',
    needsSecret: true,
    authentication: 'client_secret_post',
    authorization: 'https://www.strava.com/api/v3/oauth/authorize',
    params: { scope: 'read', approval_prompt: 'auto', ...pkce },
    people: [
      {
        profile: {
          id: 134815,
          username: 'ada',
          firstname: 'Ada',
          lastname: 'Lovelace',
          profile: 'https://dgalywyr863hv.cloudfront.net/pictures/athletes/134815/1/1/large.jpg',
        },
        user: {
          id: '134815',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://dgalywyr863hv.cloudfront.net/pictures/athletes/134815/1/1/large.jpg',
        },
      },
      {
        profile: { id: 1, firstname: 'Ada', lastname: '', profile: 'avatar/athlete/large.png' },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
      { profile: { id: 1, username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
      { profile: { id: 1, username: null }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  threads: {
    create: Threads,
    variable: 'THREADS',
    needsSecret: true,
    authentication: 'client_secret_post',
    authorization: 'https://threads.net/oauth/authorize',
    params: { scope: 'threads_basic' },
    people: [
      {
        profile: {
          id: '17841400008460056',
          username: 'ada',
          name: 'Ada Lovelace',
          threads_profile_picture_url: 'https://scontent.cdninstagram.com/ada.jpg',
        },
        user: {
          id: '17841400008460056',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://scontent.cdninstagram.com/ada.jpg',
        },
      },
      { profile: { id: '1', username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
      {
        profile: { data: { id: '1', username: 'ada', threads_profile_picture_url: 'https://a.example/1' } },
        user: { id: '1', name: 'ada', email: null, image: 'https://a.example/1' },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      // As it is: no `token_type`.
      'graph.threads.net/oauth/access_token': { access_token: 'an-access-token', user_id: 178414 },
    },
  },
}
