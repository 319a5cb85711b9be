/** Type test: every entry of the catalogue fits into `providers`, as a function and as an object; misspelt options do not. */
import type { ServerAuthConfig } from '../../lib/index.js'
import FortyTwo from '../../lib/providers/42-school.js'
import Apple from '../../lib/providers/apple.js'
import Asgardeo from '../../lib/providers/asgardeo.js'
import Atlassian from '../../lib/providers/atlassian.js'
import Auth0 from '../../lib/providers/auth0.js'
import Authentik from '../../lib/providers/authentik.js'
import AzureAD from '../../lib/providers/azure-ad.js'
import AzureADB2C from '../../lib/providers/azure-ad-b2c.js'
import AzureDevOps from '../../lib/providers/azure-devops.js'
import BankIDNorway from '../../lib/providers/bankid-no.js'
import BattleNet from '../../lib/providers/battlenet.js'
import BeyondIdentity from '../../lib/providers/beyondidentity.js'
import Bitbucket from '../../lib/providers/bitbucket.js'
import Box from '../../lib/providers/box.js'
import BoxyHQSAML from '../../lib/providers/boxyhq-saml.js'
import Bungie from '../../lib/providers/bungie.js'
import ClickUp from '../../lib/providers/click-up.js'
import Cognito from '../../lib/providers/cognito.js'
import Coinbase from '../../lib/providers/coinbase.js'
import Concept2 from '../../lib/providers/concept2.js'
import Descope from '../../lib/providers/descope.js'
import Discord from '../../lib/providers/discord.js'
import Dribbble from '../../lib/providers/dribbble.js'
import Dropbox from '../../lib/providers/dropbox.js'
import DuendeIdentityServer6 from '../../lib/providers/duende-identity-server6.js'
import Eventbrite from '../../lib/providers/eventbrite.js'
import EVEOnline from '../../lib/providers/eveonline.js'
import Facebook from '../../lib/providers/facebook.js'
import FACEIT from '../../lib/providers/faceit.js'
import Figma from '../../lib/providers/figma.js'
import ForwardEmail from '../../lib/providers/forwardemail.js'
import Foursquare from '../../lib/providers/foursquare.js'
import FreshBooks from '../../lib/providers/freshbooks.js'
import Frontegg from '../../lib/providers/frontegg.js'
import FusionAuth from '../../lib/providers/fusionauth.js'
import GitHub from '../../lib/providers/github.js'
import GitLab from '../../lib/providers/gitlab.js'
import Google from '../../lib/providers/google.js'
import HubSpot from '../../lib/providers/hubspot.js'
import HuggingFace from '../../lib/providers/huggingface.js'
import Hydra from '../../lib/providers/hydra.js'
import IdentityServer4 from '../../lib/providers/identity-server4.js'
import Instagram from '../../lib/providers/instagram.js'
import Kakao from '../../lib/providers/kakao.js'
import Keycloak from '../../lib/providers/keycloak.js'
import Kinde from '../../lib/providers/kinde.js'
import Line from '../../lib/providers/line.js'
import LinkedIn from '../../lib/providers/linkedin.js'
import Logto from '../../lib/providers/logto.js'
import Loops from '../../lib/providers/loops.js'
import Mailchimp from '../../lib/providers/mailchimp.js'
import Mailgun from '../../lib/providers/mailgun.js'
import Mailru from '../../lib/providers/mailru.js'
import Mastodon from '../../lib/providers/mastodon.js'
import Mattermost from '../../lib/providers/mattermost.js'
import Medium from '../../lib/providers/medium.js'
import MicrosoftEntraID from '../../lib/providers/microsoft-entra-id.js'
import Naver from '../../lib/providers/naver.js'
import Netlify from '../../lib/providers/netlify.js'
import NetSuite from '../../lib/providers/netsuite.js'
import Nextcloud from '../../lib/providers/nextcloud.js'
import Notion from '../../lib/providers/notion.js'
import Okta from '../../lib/providers/okta.js'
import OneLogin from '../../lib/providers/onelogin.js'
import Osso from '../../lib/providers/osso.js'
import Osu from '../../lib/providers/osu.js'
import Patreon from '../../lib/providers/patreon.js'
import PingId from '../../lib/providers/ping-id.js'
import Pinterest from '../../lib/providers/pinterest.js'
import Pipedrive from '../../lib/providers/pipedrive.js'
import Postmark from '../../lib/providers/postmark.js'
import Reddit from '../../lib/providers/reddit.js'
import Resend from '../../lib/providers/resend.js'
import Roblox from '../../lib/providers/roblox.js'
import Salesforce from '../../lib/providers/salesforce.js'
import SendGrid from '../../lib/providers/sendgrid.js'
import SimpleLogin from '../../lib/providers/simplelogin.js'
import Slack from '../../lib/providers/slack.js'
import Spotify from '../../lib/providers/spotify.js'
import Strava from '../../lib/providers/strava.js'
import Threads from '../../lib/providers/threads.js'
import TikTok from '../../lib/providers/tiktok.js'
import Todoist from '../../lib/providers/todoist.js'
import Trakt from '../../lib/providers/trakt.js'
import Twitch from '../../lib/providers/twitch.js'
import Twitter from '../../lib/providers/twitter.js'
import UnitedEffects from '../../lib/providers/united-effects.js'
import Vipps from '../../lib/providers/vipps.js'
import VK from '../../lib/providers/vk.js'
import Webex from '../../lib/providers/webex.js'
import WeChat from '../../lib/providers/wechat.js'
import Wikimedia from '../../lib/providers/wikimedia.js'
import WordPress from '../../lib/providers/wordpress.js'
import WorkOS from '../../lib/providers/workos.js'
import Yandex from '../../lib/providers/yandex.js'
import Zitadel from '../../lib/providers/zitadel.js'
import Zoho from '../../lib/providers/zoho.js'
import Zoom from '../../lib/providers/zoom.js'

export const functions: ServerAuthConfig['providers'] = [
  FortyTwo,
  Apple,
  Asgardeo,
  Atlassian,
  Auth0,
  Authentik,
  AzureAD,
  AzureADB2C,
  AzureDevOps,
  BankIDNorway,
  BattleNet,
  BeyondIdentity,
  Bitbucket,
  Box,
  BoxyHQSAML,
  Bungie,
  ClickUp,
  Cognito,
  Coinbase,
  Concept2,
  Descope,
  Discord,
  Dribbble,
  Dropbox,
  DuendeIdentityServer6,
  Eventbrite,
  EVEOnline,
  Facebook,
  FACEIT,
  Figma,
  Foursquare,
  FreshBooks,
  Frontegg,
  FusionAuth,
  GitHub,
  GitLab,
  Google,
  HubSpot,
  HuggingFace,
  Hydra,
  IdentityServer4,
  Instagram,
  Kakao,
  Keycloak,
  Kinde,
  Line,
  LinkedIn,
  Logto,
  Mailchimp,
  Mailru,
  Mastodon,
  Mattermost,
  Medium,
  MicrosoftEntraID,
  Naver,
  Netlify,
  NetSuite,
  Nextcloud,
  Notion,
  Okta,
  OneLogin,
  Osso,
  Osu,
  Patreon,
  PingId,
  Pinterest,
  Pipedrive,
  Reddit,
  Roblox,
  Salesforce,
  SimpleLogin,
  Slack,
  Spotify,
  Strava,
  Threads,
  TikTok,
  Todoist,
  Trakt,
  Twitch,
  Twitter,
  UnitedEffects,
  Vipps,
  VK,
  Webex,
  WeChat,
  Wikimedia,
  WordPress,
  WorkOS,
  Yandex,
  Zitadel,
  Zoho,
  Zoom,
]

export const objects: ServerAuthConfig['providers'] = [
  FortyTwo({ clientId: 'a', clientSecret: 'b' }),
  Apple({ clientId: 'a', clientSecret: 'b' }),
  Asgardeo({ clientId: 'a', clientSecret: 'b' }),
  Atlassian({ clientId: 'a', clientSecret: 'b' }),
  Auth0({ clientId: 'a', clientSecret: 'b' }),
  Authentik({ clientId: 'a', clientSecret: 'b' }),
  AzureAD({ clientId: 'a', clientSecret: 'b' }),
  AzureADB2C({ clientId: 'a', clientSecret: 'b' }),
  AzureDevOps({ clientId: 'a', clientSecret: 'b' }),
  BankIDNorway({ clientId: 'a', clientSecret: 'b' }),
  BattleNet({ clientId: 'a', clientSecret: 'b' }),
  BeyondIdentity({ clientId: 'a', clientSecret: 'b' }),
  Bitbucket({ clientId: 'a', clientSecret: 'b' }),
  Box({ clientId: 'a', clientSecret: 'b' }),
  BoxyHQSAML({ clientId: 'a', clientSecret: 'b' }),
  Bungie({ clientId: 'a', clientSecret: 'b' }),
  ClickUp({ clientId: 'a', clientSecret: 'b' }),
  Cognito({ clientId: 'a', clientSecret: 'b' }),
  Coinbase({ clientId: 'a', clientSecret: 'b' }),
  Concept2({ clientId: 'a', clientSecret: 'b' }),
  Descope({ clientId: 'a', clientSecret: 'b' }),
  Discord({ clientId: 'a', clientSecret: 'b' }),
  Dribbble({ clientId: 'a', clientSecret: 'b' }),
  Dropbox({ clientId: 'a', clientSecret: 'b' }),
  DuendeIdentityServer6({ clientId: 'a', clientSecret: 'b' }),
  Eventbrite({ clientId: 'a', clientSecret: 'b' }),
  EVEOnline({ clientId: 'a', clientSecret: 'b' }),
  Facebook({ clientId: 'a', clientSecret: 'b' }),
  FACEIT({ clientId: 'a', clientSecret: 'b' }),
  Figma({ clientId: 'a', clientSecret: 'b' }),
  Foursquare({ clientId: 'a', clientSecret: 'b' }),
  FreshBooks({ clientId: 'a', clientSecret: 'b' }),
  Frontegg({ clientId: 'a', clientSecret: 'b' }),
  FusionAuth({ clientId: 'a', clientSecret: 'b' }),
  GitHub({ clientId: 'a', clientSecret: 'b' }),
  GitLab({ clientId: 'a', clientSecret: 'b' }),
  Google({ clientId: 'a', clientSecret: 'b' }),
  HubSpot({ clientId: 'a', clientSecret: 'b' }),
  HuggingFace({ clientId: 'a', clientSecret: 'b' }),
  Hydra({ clientId: 'a', clientSecret: 'b' }),
  IdentityServer4({ clientId: 'a', clientSecret: 'b' }),
  Instagram({ clientId: 'a', clientSecret: 'b' }),
  Kakao({ clientId: 'a', clientSecret: 'b' }),
  Keycloak({ clientId: 'a', clientSecret: 'b' }),
  Kinde({ clientId: 'a', clientSecret: 'b' }),
  Line({ clientId: 'a', clientSecret: 'b' }),
  LinkedIn({ clientId: 'a', clientSecret: 'b' }),
  Logto({ clientId: 'a', clientSecret: 'b' }),
  Mailchimp({ clientId: 'a', clientSecret: 'b' }),
  Mailru({ clientId: 'a', clientSecret: 'b' }),
  Mastodon({ clientId: 'a', clientSecret: 'b' }),
  Mattermost({ clientId: 'a', clientSecret: 'b' }),
  Medium({ clientId: 'a', clientSecret: 'b' }),
  MicrosoftEntraID({ clientId: 'a', clientSecret: 'b' }),
  Naver({ clientId: 'a', clientSecret: 'b' }),
  Netlify({ clientId: 'a', clientSecret: 'b' }),
  NetSuite({ clientId: 'a', clientSecret: 'b' }),
  Nextcloud({ clientId: 'a', clientSecret: 'b' }),
  Notion({ clientId: 'a', clientSecret: 'b' }),
  Okta({ clientId: 'a', clientSecret: 'b' }),
  OneLogin({ clientId: 'a', clientSecret: 'b' }),
  Osso({ clientId: 'a', clientSecret: 'b' }),
  Osu({ clientId: 'a', clientSecret: 'b' }),
  Patreon({ clientId: 'a', clientSecret: 'b' }),
  PingId({ clientId: 'a', clientSecret: 'b' }),
  Pinterest({ clientId: 'a', clientSecret: 'b' }),
  Pipedrive({ clientId: 'a', clientSecret: 'b' }),
  Reddit({ clientId: 'a', clientSecret: 'b' }),
  Roblox({ clientId: 'a', clientSecret: 'b' }),
  Salesforce({ clientId: 'a', clientSecret: 'b' }),
  SimpleLogin({ clientId: 'a', clientSecret: 'b' }),
  Slack({ clientId: 'a', clientSecret: 'b' }),
  Spotify({ clientId: 'a', clientSecret: 'b' }),
  Strava({ clientId: 'a', clientSecret: 'b' }),
  Threads({ clientId: 'a', clientSecret: 'b' }),
  TikTok({ clientId: 'a', clientSecret: 'b' }),
  Todoist({ clientId: 'a', clientSecret: 'b' }),
  Trakt({ clientId: 'a', clientSecret: 'b' }),
  Twitch({ clientId: 'a', clientSecret: 'b' }),
  Twitter({ clientId: 'a', clientSecret: 'b' }),
  UnitedEffects({ clientId: 'a', clientSecret: 'b' }),
  Vipps({ clientId: 'a', clientSecret: 'b' }),
  VK({ clientId: 'a', clientSecret: 'b' }),
  Webex({ clientId: 'a', clientSecret: 'b' }),
  WeChat({ clientId: 'a', clientSecret: 'b' }),
  Wikimedia({ clientId: 'a', clientSecret: 'b' }),
  WordPress({ clientId: 'a', clientSecret: 'b' }),
  WorkOS({ clientId: 'a', clientSecret: 'b' }),
  Yandex({ clientId: 'a', clientSecret: 'b' }),
  Zitadel({ clientId: 'a', clientSecret: 'b' }),
  Zoho({ clientId: 'a', clientSecret: 'b' }),
  Zoom({ clientId: 'a', clientSecret: 'b' }),
]

export const mailServices: ServerAuthConfig['providers'] = [ForwardEmail, Loops, Mailgun, Postmark, Resend, SendGrid]
