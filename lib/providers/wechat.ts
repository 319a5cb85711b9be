/** WeChat — https://developers.weixin.qq.com/doc/oplatform/Website_App · callback: <origin>/auth/callback/wechat */
import type { Profile, TokenSet } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, ProviderHookContext, TokenEndpoint, UserinfoEndpoint } from './types.js'

/** What WeChat's user endpoint tells. There are no addresses. */
export interface WeChatProfile {
  /** The person's id for this app only. */
  openid: string
  /** The person's id for all your apps, once the app is bound to an account of the Open Platform. */
  unionid?: string
  nickname?: string
  headimgurl?: string
  [field: string]: unknown
}

/** Options of the provider; `platformType`: pages within WeChat (default), or a QR code on any website. */
export type WeChatOptions = OAuthUserConfig<WeChatProfile> & { platformType?: 'OfficialAccount' | 'WebsiteApp' }

/** Signs in with WeChat. The callback URL's domain is entered there; bind the app to the Open Platform before you begin. */
export default function WeChat(options: WeChatOptions = {}): OAuth2Config<WeChatProfile> {
  const isWebsite = options.platformType === 'WebsiteApp'
  const page = isWebsite ? 'qrconnect' : 'oauth2/authorize'
  return {
    id: 'wechat',
    name: 'WeChat',
    type: 'oauth',
    authorization: {
      // WeChat's own pages want the fragment.
      url: `https://open.weixin.qq.com/connect/${page}#wechat_redirect`,
      params: {
        appid: ({ clientId }: { clientId: string }) => clientId,
        scope: isWebsite ? 'snsapi_login' : 'snsapi_userinfo',
      },
    },
    token: { url: 'https://api.weixin.qq.com/sns/oauth2/access_token', request: exchange },
    userinfo: { url: 'https://api.weixin.qq.com/sns/userinfo', request: requestProfile },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ unionid, openid, nickname, headimgurl }) => ({
      id: unionid ?? openid,
      name: nickname || null,
      email: null,
      image: headimgurl || null,
    }),
    style: { brandColor: '#07C160' },
    options,
  }
}

/** Everything goes in the query, under WeChat's own names. */
const exchange: NonNullable<TokenEndpoint['request']> = async ({ fetch, provider, params }) => {
  const { clientId: appid, clientSecret: secret = '' } = provider
  const query = { appid, secret, code: params.code, grant_type: 'authorization_code' }
  return { tokens: (await ask(fetch, '/sns/oauth2/access_token', query)) as TokenSet }
}

const requestProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const { access_token = '', openid = '' } = tokens as TokenSet & { openid?: string }
  return (await ask(fetch, '/sns/userinfo', { access_token, openid, lang: 'zh_CN' })) as Profile
}

/** An error comes with status 200. */
async function ask(fetch: ProviderHookContext['fetch'], path: string, query: Record<string, string>): Promise<object> {
  const response = await fetch(`https://api.weixin.qq.com${path}?${new URLSearchParams(query)}`)
  const answer = (await response.json()) as { errcode?: number; errmsg?: string }
  if (answer.errcode) throw new Error(`WeChat answered ${path} with error ${answer.errcode}: ${answer.errmsg}`)
  return answer
}
