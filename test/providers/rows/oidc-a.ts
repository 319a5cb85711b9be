/** OpenID Connect, from A to K. */
import Asgardeo from '../../../lib/providers/asgardeo.js'
import Authentik from '../../../lib/providers/authentik.js'
import AzureAD from '../../../lib/providers/azure-ad.js'
import AzureADB2C from '../../../lib/providers/azure-ad-b2c.js'
import BankIDNorway from '../../../lib/providers/bankid-no.js'
import BattleNet from '../../../lib/providers/battlenet.js'
import BeyondIdentity from '../../../lib/providers/beyondidentity.js'
import Cognito from '../../../lib/providers/cognito.js'
import Descope from '../../../lib/providers/descope.js'
import DuendeIdentityServer6 from '../../../lib/providers/duende-identity-server6.js'
import Frontegg from '../../../lib/providers/frontegg.js'
import FusionAuth from '../../../lib/providers/fusionauth.js'
import HuggingFace from '../../../lib/providers/huggingface.js'
import IdentityServer4 from '../../../lib/providers/identity-server4.js'
import Kinde from '../../../lib/providers/kinde.js'
import { type Entry, oidc } from './entry.js'

const [name, email, picture] = ['Ada Lovelace', 'ada@example.com', 'https://cdn.example/ada.png']
/** A person with all standard claims. */
const ada = (sub: string) => ({
  profile: { sub, name, given_name: 'Ada', family_name: 'Lovelace', email, email_verified: true, picture },
  user: { id: sub, name, email, image: picture },
})
/** A user without any claims. */
const nobody = { profile: { sub: '1' }, user: { id: '1', name: null, email: null, image: null } }
const discoveryAt = (issuer: string) => ({
  url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  issuer,
})

export const rows: Readonly<Record<string, Entry>> = {
  asgardeo: {
    create: Asgardeo,
    variable: 'ASGARDEO',
    issuer: 'https://api.asgardeo.io/t/acme/oauth2/token',
    authorization: 'https://api.asgardeo.io/t/acme/oauth2/authorize',
    params: oidc,
    discovery: discoveryAt('https://api.asgardeo.io/t/acme/oauth2/token'),
    people: [
      {
        // Asgardeo has no full name of its own.
        profile: {
          sub: '0e5a1d1f-1c5d-4c1e-9d1e-6a4d3f2b1c00',
          given_name: 'Ada',
          family_name: 'Lovelace',
          username: email,
          email,
          picture,
          org_name: 'acme',
        },
        user: { id: '0e5a1d1f-1c5d-4c1e-9d1e-6a4d3f2b1c00', name, email, image: picture },
      },
      { profile: { sub: '1', given_name: 'Ada' }, user: { id: '1', name: 'Ada', email: null, image: null } },
      { profile: { sub: '1', username: 'ada' }, user: { id: '1', name: 'ada', email: null, image: null } },
      nobody,
    ],
  },
  authentik: {
    create: Authentik,
    variable: 'AUTHENTIK',
    issuer: 'https://sso.example/application/o/shop',
    authorization: 'https://sso.example/application/o/authorize/',
    params: oidc,
    // With a slash, whatever the developer wrote.
    discovery: discoveryAt('https://sso.example/application/o/shop/'),
    people: [
      {
        profile: {
          sub: '2f7e0c2b6d1f4a8a9e0d',
          email,
          email_verified: false,
          name,
          given_name: name,
          preferred_username: 'ada',
          nickname: 'ada',
          groups: ['authentik Admins'],
        },
        user: { id: '2f7e0c2b6d1f4a8a9e0d', name, email, image: null },
      },
      nobody,
    ],
  },
  'azure-ad': {
    create: AzureAD,
    variable: 'AZURE_AD',
    authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    params: { ...oidc, scope: 'openid profile email User.Read' },
    discovery: {
      url: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
      issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    },
    iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    people: [
      {
        profile: {
          sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
          name,
          preferred_username: 'ada@contoso.example',
          oid: '00000000-0000-0000-66f3-3332eca7ea81',
          tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
          email: 'ada@contoso.example',
        },
        user: { id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ', name, email: 'ada@contoso.example', image: null },
      },
      { profile: { sub: '1', tid: 't' }, user: nobody.user },
    ],
  },
  'azure-ad-b2c': {
    create: AzureADB2C,
    variable: 'AZURE_AD_B2C',
    issuer: 'https://contoso.b2clogin.com/tfp/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_signin/v2.0/',
    authorization: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin/oauth2/v2.0/authorize',
    params: oidc,
    discovery: discoveryAt('https://contoso.b2clogin.com/tfp/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_signin/v2.0/'),
    people: [
      {
        profile: {
          sub: '884408e1-2918-4cz0-b12d-3aa027d7563b',
          name,
          emails: [email, 'ada@contoso.example'],
          tfp: 'B2C_1_signin',
        },
        user: { id: '884408e1-2918-4cz0-b12d-3aa027d7563b', name, email, image: null },
      },
      {
        // A custom policy.
        profile: { sub: '1', preferred_username: 'ada', emails: [], email },
        user: { id: '1', name: 'ada', email, image: null },
      },
      nobody,
    ],
  },
  'bankid-no': {
    create: BankIDNorway,
    variable: 'BANKID_NO',
    needsSecret: true,
    authorization: 'https://auth.bankid.no/auth/realms/prod/precheck/auth',
    params: { ...oidc, ui_locales: 'no', login_hint: 'BIS' },
    discovery: discoveryAt('https://auth.bankid.no/auth/realms/prod'),
    authentication: 'client_secret_post',
    people: [
      {
        profile: {
          sub: 'e8c523ff-52a2-42e2-a7a5-f1d0fbb76204',
          name: 'Lovelace, Ada',
          given_name: 'Ada',
          family_name: 'Lovelace',
          birthdate: '1980-12-10',
          email,
        },
        user: { id: 'e8c523ff-52a2-42e2-a7a5-f1d0fbb76204', name: 'Lovelace, Ada', email, image: null },
      },
      nobody,
    ],
  },
  battlenet: {
    create: BattleNet,
    variable: 'BATTLENET',
    needsSecret: true,
    authorization: 'https://oauth.battle.net/authorize',
    params: { ...oidc, scope: 'openid' },
    discovery: discoveryAt('https://oauth.battle.net'),
    people: [
      {
        profile: { sub: '123456789', battle_tag: 'Ada#1234' },
        user: { id: '123456789', name: 'Ada#1234', email: null, image: null },
      },
      nobody,
    ],
  },
  beyondidentity: {
    create: BeyondIdentity,
    variable: 'BEYONDIDENTITY',
    issuer: 'https://auth-us.beyondidentity.com/v1/tenants/0001/realms/0002/applications/0003',
    authorization: 'https://auth-us.beyondidentity.com/v1/tenants/0001/realms/0002/applications/0003/authorize',
    params: oidc,
    discovery: discoveryAt('https://auth-us.beyondidentity.com/v1/tenants/0001/realms/0002/applications/0003'),
    people: [
      {
        profile: { sub: '3e2f1a0c9b8d7e6f', name, preferred_username: 'ada', email },
        user: { id: '3e2f1a0c9b8d7e6f', name, email, image: null },
      },
      nobody,
    ],
  },
  cognito: {
    create: Cognito,
    variable: 'COGNITO',
    issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI',
    authorization: 'https://acme.auth.eu-central-1.amazoncognito.com/oauth2/authorize',
    params: oidc,
    discovery: discoveryAt('https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI'),
    people: [
      {
        profile: {
          sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
          'cognito:username': 'ada',
          'cognito:groups': ['admins'],
          token_use: 'id',
          name,
          email,
          email_verified: true,
        },
        user: { id: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', name, email, image: null },
      },
      nobody,
    ],
  },
  descope: {
    create: Descope,
    variable: 'DESCOPE',
    authorization: 'https://api.descope.com/oauth2/v1/authorize',
    params: oidc,
    // The test's client id.
    discovery: discoveryAt('https://api.descope.com/client'),
    people: [ada('U2VnZHRlc3R1c2Vy'), nobody],
  },
  'duende-identity-server6': {
    create: DuendeIdentityServer6,
    variable: 'DUENDE_IDENTITY_SERVER6',
    issuer: 'https://demo.duendesoftware.com',
    authorization: 'https://demo.duendesoftware.com/connect/authorize',
    params: oidc,
    discovery: discoveryAt('https://demo.duendesoftware.com'),
    people: [ada('88421113'), nobody],
  },
  frontegg: {
    create: Frontegg,
    variable: 'FRONTEGG',
    issuer: 'https://acme.frontegg.com',
    authorization: 'https://acme.frontegg.com/oauth/authorize',
    params: oidc,
    discovery: {
      url: 'https://acme.frontegg.com/oauth/.well-known/openid-configuration',
      issuer: 'https://acme.frontegg.com',
    },
    people: [
      {
        profile: {
          sub: '2f0d4f1e-0c0a-4a3b-9d0e-1b2c3d4e5f60',
          name,
          email,
          email_verified: true,
          profilePictureUrl: picture,
          tenantId: '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
        },
        user: { id: '2f0d4f1e-0c0a-4a3b-9d0e-1b2c3d4e5f60', name, email, image: picture },
      },
      ada('1'),
      nobody,
    ],
  },
  fusionauth: {
    create: FusionAuth,
    variable: 'FUSIONAUTH',
    issuer: 'https://auth.example',
    authorization: 'https://auth.example/oauth2/authorize',
    params: { ...oidc, scope: 'openid offline_access email profile' },
    discovery: discoveryAt('https://auth.example'),
    people: [
      ada('1e2f3a4b-5c6d-7e8f-9a0b-1c2d3e4f5a6b'),
      {
        profile: { sub: '1', email, preferred_username: 'ada', given_name: 'Ada' },
        user: { id: '1', name: 'ada', email, image: null },
      },
      {
        profile: { sub: '1', given_name: 'Ada', middle_name: 'King', family_name: 'Lovelace' },
        user: { id: '1', name: 'Ada King Lovelace', email: null, image: null },
      },
      nobody,
    ],
  },
  huggingface: {
    create: HuggingFace,
    variable: 'HUGGINGFACE',
    authorization: 'https://huggingface.co/oauth/authorize',
    params: oidc,
    discovery: discoveryAt('https://huggingface.co'),
    people: [
      {
        profile: {
          sub: '62f264b9f3c90f4b6514a269',
          name,
          preferred_username: 'ada',
          profile: 'https://huggingface.co/ada',
          picture,
          email,
          email_verified: true,
          isPro: false,
        },
        user: { id: '62f264b9f3c90f4b6514a269', name, email, image: picture },
      },
      {
        profile: { sub: '1', preferred_username: 'ada' },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
    ],
  },
  'identity-server4': {
    create: IdentityServer4,
    variable: 'IDENTITY_SERVER4',
    issuer: 'https://login.example',
    authorization: 'https://login.example/connect/authorize',
    params: oidc,
    discovery: discoveryAt('https://login.example'),
    people: [ada('818727'), nobody],
  },
  kinde: {
    create: Kinde,
    variable: 'KINDE',
    issuer: 'https://acme.kinde.com',
    authorization: 'https://acme.kinde.com/oauth2/auth',
    params: oidc,
    discovery: discoveryAt('https://acme.kinde.com'),
    people: [ada('kp_c3143a4b50ad43c88e541d9077681782'), nobody],
  },
}
