/** OAuth 2.0, from Facebook to Naver. */
import Facebook from '../../../lib/providers/facebook.js'
import Faceit from '../../../lib/providers/faceit.js'
import Figma from '../../../lib/providers/figma.js'
import Foursquare from '../../../lib/providers/foursquare.js'
import FreshBooks from '../../../lib/providers/freshbooks.js'
import HubSpot from '../../../lib/providers/hubspot.js'
import Instagram from '../../../lib/providers/instagram.js'
import Kakao from '../../../lib/providers/kakao.js'
import Mailchimp from '../../../lib/providers/mailchimp.js'
import Mailru from '../../../lib/providers/mailru.js'
import Mastodon from '../../../lib/providers/mastodon.js'
import Mattermost from '../../../lib/providers/mattermost.js'
import Medium from '../../../lib/providers/medium.js'
import Naver from '../../../lib/providers/naver.js'
import { type Entry, pkce } from './entry.js'

const foursquare = {
  meta: { code: 200, requestId: '5ac51d7e6a607143d811cecb' },
  response: {
    user: {
      id: '1234567',
      firstName: 'Ada',
      lastName: 'Lovelace',
      contact: { email: 'ada@example.com' },
      photo: { prefix: 'https://fastly.4sqi.net/img/user/', suffix: '/1234567-A.jpg' },
    },
  },
}
const hubspot = {
  active: true,
  token_use: 'access_token',
  user_id: 123456,
  user: 'ada@example.com',
  hub_id: 62515,
  hub_domain: 'demo.hubspot.com',
  app_id: 456789,
  scopes: ['oauth'],
  expires_in: 1754,
}
const instagram = {
  id: '17841405793187218',
  username: 'ada',
  name: 'Ada Lovelace',
  account_type: 'BUSINESS',
  profile_picture_url: 'https://scontent.cdninstagram.com/v/ada.jpg',
}
const mailchimp = {
  dc: 'us6',
  role: 'owner',
  accountname: 'Engines Ltd',
  user_id: 15231312,
  login: {
    email: 'ada@example.com',
    avatar: null,
    login_id: 15231312,
    login_name: 'ada',
    login_email: 'ada@example.com',
  },
  login_url: 'https://login.mailchimp.com',
  api_endpoint: 'https://us6.api.mailchimp.com',
}
const medium = {
  data: {
    id: '5303d74c64f66366f00cb9b2a94f3251bf5',
    username: 'ada',
    name: 'Ada Lovelace',
    url: 'https://medium.com/@ada',
    imageUrl: 'https://cdn-images-1.medium.com/fit/c/400/400/0*ada.jpeg',
  },
}
const naver = {
  resultcode: '00',
  message: 'success',
  response: {
    id: '32742776',
    nickname: 'OpenAPI',
    name: '오픈 API',
    email: 'openapi@naver.com',
    gender: 'F',
    profile_image: 'https://ssl.pstatic.net/static/pwe/address/nodata_33x33.gif',
  },
}

export const rows: Readonly<Record<string, Entry>> = {
  facebook: {
    create: Facebook,
    variable: 'FACEBOOK',
    needsSecret: true,
    authorization: 'https://www.facebook.com/v25.0/dialog/oauth',
    params: { scope: 'email', ...pkce },
    people: [
      {
        profile: {
          id: '10221234567890123',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          picture: {
            data: { height: 50, width: 50, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/1' },
          },
        },
        user: {
          id: '10221234567890123',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://platform-lookaside.fbsbx.com/1',
        },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  faceit: {
    create: Faceit,
    variable: 'FACEIT',
    authorization: 'https://accounts.faceit.com/accounts',
    params: { scope: 'openid profile email', redirect_popup: 'true', ...pkce },
    people: [
      {
        profile: {
          guid: '23bea3b6-2f6b-4c2e-9b0a-7d6e2b1f0a11',
          nickname: 'ada',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          email_verified: true,
          picture: 'https://assets.faceit-cdn.net/avatars/ada.jpg',
          locale: 'en',
        },
        user: {
          id: '23bea3b6-2f6b-4c2e-9b0a-7d6e2b1f0a11',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://assets.faceit-cdn.net/avatars/ada.jpg',
        },
      },
      {
        profile: { guid: '1', nickname: 'ada', picture: '' },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
    ],
  },
  figma: {
    create: Figma,
    variable: 'FIGMA',
    needsSecret: true,
    authorization: 'https://www.figma.com/oauth',
    params: { scope: 'current_user:read' },
    people: [
      {
        profile: {
          id: '1234567890123456789',
          handle: 'Ada Lovelace',
          email: 'ada@example.com',
          img_url: 'https://s3-alpha.figma.com/profile/ada',
        },
        user: {
          id: '1234567890123456789',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://s3-alpha.figma.com/profile/ada',
        },
      },
      { profile: { id: '1', handle: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
  foursquare: {
    create: Foursquare,
    variable: 'FOURSQUARE',
    needsSecret: true,
    authorization: 'https://foursquare.com/oauth2/authenticate',
    params: pkce,
    people: [
      {
        profile: foursquare,
        user: {
          id: '1234567',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://fastly.4sqi.net/img/user/original/1234567-A.jpg',
        },
      },
      {
        profile: { response: { user: { id: '1', firstName: 'Ada' } } },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
      {
        profile: { response: { user: { id: '1', contact: {} } } },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
    answers: {
      'foursquare.com/oauth2/access_token': { access_token: 'Q0VTS0dNNFQ1UVBCVFJPUU1MVjVNQ1FaNUVXWFdDT00' },
      'api.foursquare.com/v2/users/self': foursquare,
    },
  },
  freshbooks: {
    create: FreshBooks,
    variable: 'FRESHBOOKS',
    needsSecret: true,
    authorization: 'https://auth.freshbooks.com/oauth/authorize',
    params: { scope: 'user:profile:read', ...pkce },
    people: [
      {
        profile: {
          response: {
            id: 712052,
            identity_id: 712052,
            first_name: 'Ada',
            last_name: 'Lovelace',
            email: 'ada@example.com',
            setup_complete: true,
          },
        },
        user: { id: '712052', name: 'Ada Lovelace', email: 'ada@example.com', image: null },
      },
      {
        profile: { response: { id: 1, first_name: null, last_name: 'Lovelace' } },
        user: { id: '1', name: 'Lovelace', email: null, image: null },
      },
      {
        profile: { response: { id: 1, first_name: '', last_name: '' } },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  hubspot: {
    create: HubSpot,
    variable: 'HUBSPOT',
    needsSecret: true,
    authorization: 'https://app.hubspot.com/oauth/authorize',
    params: { scope: 'oauth', ...pkce },
    authentication: 'client_secret_post',
    people: [
      {
        profile: hubspot,
        user: { id: '123456', name: 'ada@example.com', email: 'ada@example.com', image: null },
      },
      { profile: { user_id: 1 }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  instagram: {
    create: Instagram,
    variable: 'INSTAGRAM',
    needsSecret: true,
    authorization: 'https://www.instagram.com/oauth/authorize',
    params: { scope: 'instagram_business_basic', ...pkce },
    authentication: 'client_secret_post',
    people: [
      {
        profile: instagram,
        user: {
          id: '17841405793187218',
          name: 'ada',
          email: null,
          image: 'https://scontent.cdninstagram.com/v/ada.jpg',
        },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      'api.instagram.com/oauth/access_token': {
        data: [{ access_token: 'IGAA1', user_id: '17841405793187218', permissions: 'instagram_business_basic' }],
      },
      'graph.instagram.com/me': instagram,
    },
  },
  kakao: {
    create: Kakao,
    variable: 'KAKAO',
    needsSecret: true,
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    params: pkce,
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          id: 3123456789,
          connected_at: '2026-01-01T00:00:00Z',
          kakao_account: {
            profile: { nickname: '에이다', profile_image_url: 'https://k.kakaocdn.net/dn/img_640x640.jpg' },
            has_email: true,
            is_email_valid: true,
            is_email_verified: true,
            email: 'ada@kakao.com',
          },
        },
        user: {
          id: '3123456789',
          name: '에이다',
          email: 'ada@kakao.com',
          image: 'https://k.kakaocdn.net/dn/img_640x640.jpg',
        },
      },
      {
        profile: { id: 1, kakao_account: { profile_needs_agreement: true, has_email: false } },
        user: { id: '1', name: null, email: null, image: null },
      },
      { profile: { id: 1 }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  mailchimp: {
    create: Mailchimp,
    variable: 'MAILCHIMP',
    needsSecret: true,
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    params: pkce,
    people: [
      {
        profile: mailchimp,
        user: { id: '15231312', name: 'Engines Ltd', email: 'ada@example.com', image: null },
      },
      { profile: { login: { login_id: 1 } }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      'login.mailchimp.com/oauth2/token': {
        access_token: '5c6ccc561059aa386da9d112215bae55',
        expires_in: 0,
        scope: null,
      },
      'login.mailchimp.com/oauth2/metadata': mailchimp,
    },
  },
  mailru: {
    create: Mailru,
    variable: 'MAILRU',
    authorization: 'https://oauth.mail.ru/login',
    params: { scope: 'userinfo', ...pkce },
    people: [
      {
        profile: {
          id: '1734604429',
          client_id: 'client',
          name: 'Ада Лавлейс',
          nickname: 'ada',
          first_name: 'Ада',
          last_name: 'Лавлейс',
          email: 'ada@mail.ru',
          image: 'https://filin.mail.ru/pic?d=1&width=180&height=180',
          locale: 'ru_RU',
        },
        user: {
          id: '1734604429',
          name: 'Ада Лавлейс',
          email: 'ada@mail.ru',
          image: 'https://filin.mail.ru/pic?d=1&width=180&height=180',
        },
      },
      {
        profile: { id: '1', name: '', nickname: 'ada' },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
    ],
  },
  mastodon: {
    create: Mastodon,
    variable: 'MASTODON',
    issuer: 'https://mastodon.example',
    authorization: 'https://mastodon.example/oauth/authorize',
    params: { scope: 'read', ...pkce },
    people: [
      {
        profile: {
          id: '14715',
          username: 'ada',
          acct: 'ada',
          display_name: 'Ada Lovelace',
          url: 'https://mastodon.example/@ada',
          avatar: 'https://files.mastodon.example/accounts/avatars/ada.gif',
          avatar_static: 'https://files.mastodon.example/accounts/avatars/ada.png',
        },
        user: {
          id: '14715',
          name: 'ada',
          email: null,
          image: 'https://files.mastodon.example/accounts/avatars/ada.png',
        },
      },
      { profile: { id: '1', username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
  mattermost: {
    create: Mattermost,
    variable: 'MATTERMOST',
    needsSecret: true,
    issuer: 'https://chat.example',
    authorization: 'https://chat.example/oauth/authorize',
    params: pkce,
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          id: 'a1b2c3d4e5f6g7h8i9j0k1l2m3',
          username: 'ada',
          first_name: 'Ada',
          last_name: 'Lovelace',
          nickname: '',
          email: 'ada@example.com',
          email_verified: true,
          roles: 'system_user',
        },
        user: { id: 'a1b2c3d4e5f6g7h8i9j0k1l2m3', name: 'ada', email: 'ada@example.com', image: null },
      },
      {
        profile: { id: '1', first_name: 'Ada', last_name: '', email: '' },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
      { profile: { id: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  medium: {
    create: Medium,
    variable: 'MEDIUM',
    needsSecret: true,
    authorization: 'https://medium.com/m/oauth/authorize',
    params: { scope: 'basicProfile', ...pkce },
    people: [
      {
        profile: medium,
        user: {
          id: '5303d74c64f66366f00cb9b2a94f3251bf5',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://cdn-images-1.medium.com/fit/c/400/400/0*ada.jpeg',
        },
      },
      { profile: { data: { id: '1' } }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      'api.medium.com/v1/tokens': {
        token_type: 'Bearer',
        access_token: '2a7d8f',
        refresh_token: '1b6c9e',
        scope: ['basicProfile'],
        expires_at: 1893456000000,
      },
      'api.medium.com/v1/me': medium,
    },
  },
  naver: {
    create: Naver,
    variable: 'NAVER',
    needsSecret: true,
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    params: pkce,
    people: [
      {
        profile: naver,
        user: {
          id: '32742776',
          name: 'OpenAPI',
          email: 'openapi@naver.com',
          image: 'https://ssl.pstatic.net/static/pwe/address/nodata_33x33.gif',
        },
      },
      {
        profile: { resultcode: '00', message: 'success', response: { id: '1', name: '오픈 API' } },
        user: { id: '1', name: '오픈 API', email: null, image: null },
      },
      { profile: { response: { id: '1' } }, user: { id: '1', name: null, email: null, image: null } },
    ],
    answers: {
      'nid.naver.com/oauth2.0/token': {
        access_token: 'AAAAQosjWDJieBiQZc3to9YQp6HDLvrmyKC',
        refresh_token: 'c8ceMEJisO4Se7uGCEYKK1p52L93bHXLn',
        token_type: 'bearer',
        // A number as text.
        expires_in: '3600',
      },
      'openapi.naver.com/v1/nid/me': naver,
    },
  },
}
