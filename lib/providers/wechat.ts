/** WeChat — https://developers.weixin.qq.com/doc/oplatform/Website_App · callback: <origin>/auth/callback/wechat */
import type { Profile, TokenSet } from '../types/identity.js'
import type {
  OAuth2Config,
  OAuthUserConfig,
  ProviderHookContext,
  TokenEndpoint,
  UserinfoEndpoint,
} from '../types/provider.js'

/** The response of WeChat's user endpoint. There are no email addresses. */
export interface WeChatProfile {
  /** The user's id for this app only. */
  openid: string
  /** The user's id for all your apps, if the app is bound to an account of the Open Platform. */
  unionid?: string
  nickname?: string
  headimgurl?: string
  [field: string]: unknown
}

/** The options of the provider; `platformType`: pages within WeChat (default), or a QR code on any website. */
export type WeChatOptions = OAuthUserConfig<WeChatProfile> & {
  /** `OfficialAccount`: pages within WeChat. `WebsiteApp`: a QR code on any website. Default `OfficialAccount`. */
  platformType?: 'OfficialAccount' | 'WebsiteApp'
}

/**
 * Signs in with WeChat. The callback URL's domain is entered there; bind the app to the Open Platform first.
 *
 * Environment: `AUTH_WECHAT_ID` and `AUTH_WECHAT_SECRET`. https://developers.weixin.qq.com/doc/oplatform/Website_App
 */
export default function WeChat(options: WeChatOptions = {}): OAuth2Config<WeChatProfile> {
  const isWebsite = options.platformType === 'WebsiteApp'
  const page = isWebsite ? 'qrconnect' : 'oauth2/authorize'
  return {
    id: 'wechat',
    name: 'WeChat',
    type: 'oauth',
    authorization: {
      // WeChat's own pages require the fragment.
      url: `https://open.weixin.qq.com/connect/${page}#wechat_redirect`,
      params: {
        appid: ({ clientId }: { clientId: string }) => clientId,
        scope: isWebsite ? 'snsapi_login' : 'snsapi_userinfo',
      },
    },
    token: { url: 'https://api.weixin.qq.com/sns/oauth2/access_token', request: exchangeWeChatCode },
    userinfo: { url: 'https://api.weixin.qq.com/sns/userinfo', request: requestWeChatProfile },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ unionid, openid, nickname, headimgurl }) => ({
      id: unionid ?? openid,
      name: nickname || null,
      email: null,
      image: headimgurl || null,
    }),
    style: {
      brandColor: '#07C160',
      mark: 'M8.691 2.188C3.891 2.188 0 5.476 0 9.53c0 2.212 1.17 4.203 3.002 5.55a.59.59 0 0 1 .213.665l-.39 1.48c-.019.07-.048.141-.048.213 0 .163.13.295.29.295a.326.326 0 0 0 .167-.054l1.903-1.114a.864.864 0 0 1 .717-.098 10.16 10.16 0 0 0 2.837.403c.276 0 .543-.027.811-.05-.857-2.578.157-4.972 1.932-6.446 1.703-1.415 3.882-1.98 5.853-1.838-.576-3.583-4.196-6.348-8.596-6.348zM5.785 5.991c.642 0 1.162.529 1.162 1.18a1.17 1.17 0 0 1-1.162 1.178A1.17 1.17 0 0 1 4.623 7.17c0-.651.52-1.18 1.162-1.18zm5.813 0c.642 0 1.162.529 1.162 1.18a1.17 1.17 0 0 1-1.162 1.178 1.17 1.17 0 0 1-1.162-1.178c0-.651.52-1.18 1.162-1.18zm5.34 2.867c-1.797-.052-3.746.512-5.28 1.786-1.72 1.428-2.687 3.72-1.78 6.22.942 2.453 3.666 4.229 6.884 4.229.826 0 1.622-.12 2.361-.336a.722.722 0 0 1 .598.082l1.584.926a.272.272 0 0 0 .14.047c.134 0 .24-.111.24-.247 0-.06-.023-.12-.038-.177l-.327-1.233a.582.582 0 0 1-.023-.156.49.49 0 0 1 .201-.398C23.024 18.48 24 16.82 24 14.98c0-3.21-2.931-5.837-6.656-6.088V8.89c-.135-.01-.27-.027-.407-.03zm-2.53 3.274c.535 0 .969.44.969.982a.976.976 0 0 1-.969.983.976.976 0 0 1-.969-.983c0-.542.434-.982.97-.982zm4.844 0c.535 0 .969.44.969.982a.976.976 0 0 1-.969.983.976.976 0 0 1-.969-.983c0-.542.434-.982.969-.982z',
    },
    options,
  }
}

/** Exchanges the code. All values are in the query, with WeChat's own names. */
const exchangeWeChatCode: NonNullable<TokenEndpoint['request']> = async ({ fetch, provider, params }) => {
  const { clientId: appid, clientSecret: secret = '' } = provider
  const query = { appid, secret, code: params.code, grant_type: 'authorization_code' }
  return { tokens: (await callWeChat(fetch, '/sns/oauth2/access_token', query)) as TokenSet }
}

const requestWeChatProfile: NonNullable<UserinfoEndpoint['request']> = async ({ fetch, tokens }) => {
  const { access_token = '', openid = '' } = tokens as TokenSet & { openid?: string }
  return (await callWeChat(fetch, '/sns/userinfo', { access_token, openid, lang: 'zh_CN' })) as Profile
}

/** Calls WeChat's API. An error has status 200. */
async function callWeChat(
  fetch: ProviderHookContext['fetch'],
  path: string,
  query: Record<string, string>,
): Promise<object> {
  const response = await fetch(`https://api.weixin.qq.com${path}?${new URLSearchParams(query)}`)
  const answer = (await response.json()) as { errcode?: number; errmsg?: string }
  if (answer.errcode) throw new Error(`WeChat answered ${path} with error ${answer.errcode}: ${answer.errmsg}`)
  return answer
}
