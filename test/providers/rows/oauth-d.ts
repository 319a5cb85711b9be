/** Plain OAuth 2.0, T to Z. */
import TikTok from '../../../lib/providers/tiktok.js'
import Todoist from '../../../lib/providers/todoist.js'
import Trakt from '../../../lib/providers/trakt.js'
import Twitter from '../../../lib/providers/twitter.js'
import VK from '../../../lib/providers/vk.js'
import Webex from '../../../lib/providers/webex.js'
import WeChat from '../../../lib/providers/wechat.js'
import Wikimedia from '../../../lib/providers/wikimedia.js'
import WordPress from '../../../lib/providers/wordpress.js'
import WorkOS from '../../../lib/providers/workos.js'
import Yandex from '../../../lib/providers/yandex.js'
import Zoho from '../../../lib/providers/zoho.js'
import Zoom from '../../../lib/providers/zoom.js'
import { type Entry, pkce } from './entry.js'

export const rows: Readonly<Record<string, Entry>> = {
  tiktok: {
    create: TikTok,
    variable: 'TIKTOK',
    needsSecret: true,
    authorization: 'https://www.tiktok.com/v2/auth/authorize',
    params: { client_key: 'client', scope: 'user.info.basic', ...pkce },
    authentication: 'other',
    people: [
      {
        profile: {
          data: {
            user: {
              open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
              display_name: 'Ada Lovelace',
              avatar_url: 'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5.jpeg',
            },
          },
          error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
        },
        user: {
          id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5.jpeg',
        },
      },
      {
        profile: { data: { user: { open_id: '1' } }, error: { code: 'ok' } },
        user: { id: '1', name: null, email: null, image: null },
      },
    ],
  },
  todoist: {
    create: Todoist,
    variable: 'TODOIST',
    needsSecret: true,
    authorization: 'https://app.todoist.com/oauth/authorize',
    params: { scope: 'data:read', ...pkce },
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          id: '2671355',
          full_name: 'Ada Lovelace',
          email: 'ada@example.com',
          avatar_big: 'https://dcff1xvirvpfp.cloudfront.net/0_big.jpg',
          lang: 'en',
        },
        user: {
          id: '2671355',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://dcff1xvirvpfp.cloudfront.net/0_big.jpg',
        },
      },
      {
        profile: { id: '1', full_name: 'Ada', email: 'ada@example.com', avatar_big: null },
        user: { id: '1', name: 'Ada', email: 'ada@example.com', image: null },
      },
    ],
  },
  trakt: {
    create: Trakt,
    variable: 'TRAKT',
    needsSecret: true,
    authorization: 'https://trakt.tv/oauth/authorize',
    params: pkce,
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          username: 'ada',
          private: false,
          name: 'Ada Lovelace',
          vip: true,
          ids: { slug: 'ada' },
          joined_at: '2010-09-25T17:49:25.000Z',
          images: { avatar: { full: 'https://walter.trakt.tv/images/users/000/000/001/avatars/large/0.jpg' } },
        },
        user: {
          id: 'ada',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://walter.trakt.tv/images/users/000/000/001/avatars/large/0.jpg',
        },
      },
      {
        // Without a name of their own, and without the extended answer.
        profile: { username: 'ada', name: '', ids: { slug: 'ada' } },
        user: { id: 'ada', name: 'ada', email: null, image: null },
      },
    ],
  },
  twitter: {
    create: Twitter,
    variable: 'TWITTER',
    authorization: 'https://x.com/i/oauth2/authorize',
    params: { scope: 'users.read tweet.read offline.access', ...pkce },
    people: [
      {
        profile: {
          data: {
            id: '2244994945',
            name: 'Ada Lovelace',
            username: 'ada',
            profile_image_url: 'https://pbs.twimg.com/profile_images/1/x_normal.jpg',
          },
        },
        user: {
          id: '2244994945',
          name: 'Ada Lovelace',
          email: null,
          image: 'https://pbs.twimg.com/profile_images/1/x_normal.jpg',
        },
      },
      {
        profile: { data: { id: '1', name: 'Ada', username: 'ada', confirmed_email: 'ada@example.com' } },
        user: { id: '1', name: 'Ada', email: 'ada@example.com', image: null },
      },
    ],
  },
  vk: {
    create: VK,
    variable: 'VK',
    needsSecret: true,
    authorization: 'https://oauth.vk.ru/authorize',
    params: { scope: 'email', v: '5.131', ...pkce },
    authentication: 'client_secret_post',
    answers: {
      'oauth.vk.ru/access_token': {
        access_token: '533bacf01e11f55b536a565b57531ac114461ae8736d6506a3',
        expires_in: 86400,
        user_id: 210700286,
        email: 'ada@example.com',
      },
      'api.vk.ru/method/users.get': {
        response: [
          {
            id: 210700286,
            first_name: 'Ada',
            last_name: 'Lovelace',
            photo_100: 'https://sun1.userapi.com/x.jpg',
            can_access_closed: true,
            is_closed: false,
          },
        ],
      },
    },
    people: [
      {
        profile: {
          id: 210700286,
          first_name: 'Ada',
          last_name: 'Lovelace',
          photo_100: 'https://sun1.userapi.com/x.jpg',
          email: 'ada@example.com',
        },
        user: {
          id: '210700286',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://sun1.userapi.com/x.jpg',
        },
      },
      {
        profile: { id: 1, first_name: 'Ada', last_name: '' },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
    ],
  },
  webex: {
    create: Webex,
    variable: 'WEBEX',
    needsSecret: true,
    authorization: 'https://webexapis.com/v1/authorize',
    params: { scope: 'spark:kms spark:people_read', ...pkce },
    people: [
      {
        profile: {
          id: 'Y2lzY29zcGFyazovL3VzL1BFT1BMRS9mNWIzNjE4Ny1jOGRkLTQ3MjctOGIyZi1mOWM0NDdmMjkwNDY',
          emails: ['ada@example.com'],
          displayName: 'Ada Lovelace',
          avatar: 'https://avatar-prod-us-east-2.webexcontent.com/x~1600',
          type: 'person',
        },
        user: {
          id: 'Y2lzY29zcGFyazovL3VzL1BFT1BMRS9mNWIzNjE4Ny1jOGRkLTQ3MjctOGIyZi1mOWM0NDdmMjkwNDY',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://avatar-prod-us-east-2.webexcontent.com/x~1600',
        },
      },
      { profile: { id: '1', emails: [] }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  wechat: {
    create: WeChat,
    variable: 'WECHAT',
    needsSecret: true,
    authorization: 'https://open.weixin.qq.com/connect/oauth2/authorize',
    params: { appid: 'client', scope: 'snsapi_userinfo' },
    authentication: 'other',
    answers: {
      'api.weixin.qq.com/sns/oauth2/access_token': () => ({
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify({
          access_token: '57_vDX6bS',
          expires_in: 7200,
          refresh_token: '57_RgQ2',
          openid: 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc',
          scope: 'snsapi_userinfo',
          unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
        }),
      }),
      'api.weixin.qq.com/sns/userinfo': () => ({
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify({
          openid: 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc',
          nickname: '爱达',
          headimgurl:
            'https://thirdwx.qlogo.cn/mmopen/g3MonUZtNHkdmzicIlibx6iaFqAc56vxLSUfpb6n5WKSYVY0ChQKkiaJSgQ1d/46',
          unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
        }),
      }),
    },
    people: [
      {
        profile: {
          openid: 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc',
          nickname: '爱达',
          sex: 0,
          language: '',
          headimgurl:
            'https://thirdwx.qlogo.cn/mmopen/g3MonUZtNHkdmzicIlibx6iaFqAc56vxLSUfpb6n5WKSYVY0ChQKkiaJSgQ1d/46',
          privilege: [],
          unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
        },
        user: {
          id: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
          name: '爱达',
          email: null,
          image: 'https://thirdwx.qlogo.cn/mmopen/g3MonUZtNHkdmzicIlibx6iaFqAc56vxLSUfpb6n5WKSYVY0ChQKkiaJSgQ1d/46',
        },
      },
      {
        // An app that is not bound to the Open Platform, and a person without a picture.
        profile: { openid: 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc', nickname: '', headimgurl: '' },
        user: { id: 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc', name: null, email: null, image: null },
      },
    ],
  },
  wikimedia: {
    create: Wikimedia,
    variable: 'WIKIMEDIA',
    authorization: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize',
    params: pkce,
    people: [
      {
        profile: {
          sub: 12345678,
          username: 'Ada Lovelace',
          editcount: 1815,
          confirmed_email: true,
          blocked: false,
          registered: '20151210000000',
          groups: ['*', 'user'],
          rights: ['read'],
          grants: ['mwoauth-authonlyprivate'],
          realname: 'Ada',
          email: 'ada@example.com',
        },
        user: { id: '12345678', name: 'Ada Lovelace', email: 'ada@example.com', image: null },
      },
      {
        profile: { sub: '1', username: 'Ada', confirmed_email: false },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
    ],
  },
  wordpress: {
    create: WordPress,
    variable: 'WORDPRESS',
    needsSecret: true,
    authorization: 'https://public-api.wordpress.com/oauth2/authorize',
    params: { scope: 'auth', ...pkce },
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          ID: 78972699,
          display_name: 'Ada Lovelace',
          username: 'ada',
          email: 'ada@example.com',
          email_verified: true,
          avatar_URL: 'https://0.gravatar.com/avatar/x?s=96',
          token_site_id: false,
        },
        user: {
          id: '78972699',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://0.gravatar.com/avatar/x?s=96',
        },
      },
      { profile: { ID: 1, username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
  workos: {
    create: WorkOS,
    variable: 'WORKOS',
    required: { connection: 'conn_01E4ZCR3C56J083X43JQXF3JK5' },
    needsSecret: true,
    authorization: 'https://api.workos.com/sso/authorize',
    params: { connection: 'conn_01E4ZCR3C56J083X43JQXF3JK5', ...pkce },
    authentication: 'client_secret_post',
    answers: {
      'api.workos.com/sso/token': {
        access_token: '01DMEK0J53CVMC32CK5SE0KZ8Q',
        profile: { id: 'prof_01DMC79VCBZ0NY2099737PSVF1' },
      },
    },
    people: [
      {
        profile: {
          object: 'profile',
          id: 'prof_01DMC79VCBZ0NY2099737PSVF1',
          connection_id: 'conn_01E4ZCR3C56J083X43JQXF3JK5',
          connection_type: 'OktaSAML',
          email: 'ada@example.com',
          first_name: 'Ada',
          idp_id: '00u1a0ufowBJlzPlk357',
          last_name: 'Lovelace',
          raw_attributes: { picture: 'https://idp.example/ada.png' },
        },
        user: {
          id: 'prof_01DMC79VCBZ0NY2099737PSVF1',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://idp.example/ada.png',
        },
      },
      {
        profile: { id: 'prof_1', email: 'ada@example.com', first_name: null, last_name: null },
        user: { id: 'prof_1', name: null, email: 'ada@example.com', image: null },
      },
    ],
  },
  yandex: {
    create: Yandex,
    variable: 'YANDEX',
    authorization: 'https://oauth.yandex.ru/authorize',
    params: { scope: 'login:info login:email login:avatar', ...pkce },
    people: [
      {
        profile: {
          id: '1000034426',
          login: 'ada',
          client_id: '4760187d81bc4b7799476b42b5103713',
          display_name: 'Ada',
          real_name: 'Ada Lovelace',
          first_name: 'Ada',
          last_name: 'Lovelace',
          default_email: 'ada@yandex.ru',
          emails: ['ada@yandex.ru', 'other@yandex.ru'],
          default_avatar_id: '131652443',
          is_avatar_empty: false,
          psuid: '1.AAceCw',
        },
        user: {
          id: '1000034426',
          name: 'Ada',
          email: 'ada@yandex.ru',
          image: 'https://avatars.yandex.net/get-yapic/131652443/islands-200',
        },
      },
      {
        profile: {
          id: '1',
          login: 'ada',
          real_name: 'Ada Lovelace',
          emails: ['other@yandex.ru'],
          default_avatar_id: '0/0-0',
          is_avatar_empty: true,
        },
        user: { id: '1', name: 'Ada Lovelace', email: 'other@yandex.ru', image: null },
      },
      { profile: { id: '1', login: 'ada' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  zoho: {
    create: Zoho,
    variable: 'ZOHO',
    needsSecret: true,
    authorization: 'https://accounts.zoho.com/oauth/v2/auth',
    params: { scope: 'AaaServer.profile.Read', ...pkce },
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          First_Name: 'Ada',
          Email: 'ada@example.com',
          Last_Name: 'Lovelace',
          Display_Name: 'ada',
          ZUID: 640831073,
        },
        user: { id: '640831073', name: 'Ada Lovelace', email: 'ada@example.com', image: null },
      },
      {
        profile: { First_Name: '', Last_Name: '', Display_Name: 'ada', ZUID: 1 },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
      {
        profile: { Last_Name: 'Lovelace', ZUID: '1' },
        user: { id: '1', name: 'Lovelace', email: null, image: null },
      },
    ],
  },
  zoom: {
    create: Zoom,
    variable: 'ZOOM',
    authorization: 'https://zoom.us/oauth/authorize',
    params: pkce,
    people: [
      {
        profile: {
          id: 'zJKyaiAyTNC-MWjiWC18KQ',
          first_name: 'Ada',
          last_name: 'Lovelace',
          display_name: 'Ada L.',
          email: 'ada@example.com',
          type: 2,
          verified: 1,
          pic_url: 'https://example.com/ada.png',
          account_id: 'q6gBJVO5TzexKYTb_I2rpg',
        },
        user: {
          id: 'zJKyaiAyTNC-MWjiWC18KQ',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://example.com/ada.png',
        },
      },
      {
        profile: { id: '1', first_name: 'Ada', email: 'ada@example.com', verified: 0 },
        user: { id: '1', name: 'Ada', email: 'ada@example.com', image: null },
      },
      { profile: { id: '1', display_name: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
    ],
  },
}
