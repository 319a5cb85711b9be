/** The first ten. */
import Apple from '../../../lib/providers/apple.js'
import Auth0 from '../../../lib/providers/auth0.js'
import Discord from '../../../lib/providers/discord.js'
import GitHub from '../../../lib/providers/github.js'
import GitLab from '../../../lib/providers/gitlab.js'
import Google from '../../../lib/providers/google.js'
import Keycloak from '../../../lib/providers/keycloak.js'
import Line from '../../../lib/providers/line.js'
import MicrosoftEntraID from '../../../lib/providers/microsoft-entra-id.js'
import { type Entry, oidc, pkce } from './entry.js'

export const rows: Readonly<Record<string, Entry>> = {
  apple: {
    create: Apple,
    authentication: 'client_secret_post',
    variable: 'APPLE',
    needsSecret: true,
    authorization: 'https://appleid.apple.com/auth/authorize',
    params: { scope: 'name email', response_mode: 'form_post', nonce: '*' },
    discovery: {
      url: 'https://appleid.apple.com/.well-known/openid-configuration',
      issuer: 'https://appleid.apple.com',
    },
    people: [
      {
        profile: {
          sub: '001234.a1b2c3.0456',
          email: 'x7k2@privaterelay.appleid.com',
          email_verified: 'true',
          is_private_email: 'true',
          user: { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'evil@example.com' },
        },
        user: {
          id: '001234.a1b2c3.0456',
          name: 'Ada Lovelace',
          email: 'x7k2@privaterelay.appleid.com',
          image: null,
        },
      },
      {
        profile: { sub: '1', email: 'ada@example.com' },
        user: { id: '1', name: 'ada@example.com', email: 'ada@example.com', image: null },
      },
      {
        profile: { sub: '1', user: { name: { firstName: 'Ada' } } },
        user: { id: '1', name: 'Ada', email: null, image: null },
      },
      { profile: { sub: '1' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
  auth0: {
    create: Auth0,
    variable: 'AUTH0',
    issuer: 'https://acme.eu.auth0.com',
    authorization: 'https://acme.eu.auth0.com/authorize',
    params: oidc,
    discovery: {
      url: 'https://acme.eu.auth0.com/.well-known/openid-configuration',
      issuer: 'https://acme.eu.auth0.com/',
    },
    people: [
      {
        profile: {
          sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
          nickname: 'ada',
          name: 'Ada Lovelace',
          picture: 'https://s.gravatar.com/avatar/0?s=480',
          email: 'ada@example.com',
          email_verified: true,
          updated_at: '2026-01-01T00:00:00.000Z',
        },
        user: {
          id: 'auth0|5f7c8ec7c33c6c004bbafe82',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://s.gravatar.com/avatar/0?s=480',
        },
      },
      { profile: { sub: 'sms|1', nickname: 'ada' }, user: { id: 'sms|1', name: 'ada', email: null, image: null } },
    ],
  },
  discord: {
    create: Discord,
    variable: 'DISCORD',
    authorization: 'https://discord.com/api/oauth2/authorize',
    params: { scope: 'identify email', ...pkce },
    people: [
      {
        profile: {
          id: '80351110224678912',
          username: 'nelly',
          discriminator: '0',
          global_name: 'Nelly',
          avatar: '8342729096ea3675442027381ff50dfe',
          email: 'nelly@discord.com',
          verified: true,
        },
        user: {
          id: '80351110224678912',
          name: 'Nelly',
          email: 'nelly@discord.com',
          image: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
        },
      },
      {
        // An animated picture; no display name; no address.
        profile: {
          id: '1',
          username: 'nelly',
          discriminator: '0',
          global_name: null,
          avatar: 'a_1269e74af4df7417b13759eae50c83dc',
          email: null,
        },
        user: {
          id: '1',
          name: 'nelly',
          email: null,
          image: 'https://cdn.discordapp.com/avatars/1/a_1269e74af4df7417b13759eae50c83dc.gif',
        },
      },
      {
        // A name of the old kind: one of five default pictures, by the discriminator.
        profile: { id: '80351110224678912', username: 'Nelly', discriminator: '1338', global_name: null, avatar: null },
        user: {
          id: '80351110224678912',
          name: 'Nelly',
          email: null,
          image: 'https://cdn.discordapp.com/embed/avatars/3.png',
        },
      },
      {
        // A name of the new kind: one of six, by the id, which is too long for a number.
        profile: { id: '1058043123456789012', username: 'nelly', discriminator: '0', global_name: null, avatar: null },
        user: {
          id: '1058043123456789012',
          name: 'nelly',
          email: null,
          image: `https://cdn.discordapp.com/embed/avatars/${(1058043123456789012n / 4194304n) % 6n}.png`,
        },
      },
    ],
  },
  github: {
    create: GitHub,
    variable: 'GITHUB',
    needsSecret: true,
    authorization: 'https://github.com/login/oauth/authorize',
    params: { scope: 'read:user user:email', ...pkce },
    people: [
      {
        profile: {
          id: 583231,
          login: 'octocat',
          name: 'The Octocat',
          email: 'octocat@github.com',
          avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
          type: 'User',
        },
        user: {
          id: '583231',
          name: 'The Octocat',
          email: 'octocat@github.com',
          image: 'https://avatars.githubusercontent.com/u/583231?v=4',
        },
      },
      {
        profile: { id: 1, login: 'octocat', name: null, email: null, avatar_url: 'https://a.example/1' },
        user: { id: '1', name: 'octocat', email: null, image: 'https://a.example/1' },
      },
    ],
  },
  gitlab: {
    create: GitLab,
    variable: 'GITLAB',
    authorization: 'https://gitlab.com/oauth/authorize',
    params: { scope: 'read_user', ...pkce },
    people: [
      {
        profile: {
          id: 1574083,
          username: 'ada',
          name: 'Ada Lovelace',
          state: 'active',
          email: 'ada@example.com',
          avatar_url: 'https://gitlab.com/uploads/-/system/user/avatar/1574083/avatar.png',
        },
        user: {
          id: '1574083',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://gitlab.com/uploads/-/system/user/avatar/1574083/avatar.png',
        },
      },
      {
        profile: { id: 1, username: 'ada', name: null, email: null, avatar_url: null },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
    ],
  },
  google: {
    create: Google,
    variable: 'GOOGLE',
    needsSecret: true,
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    params: oidc,
    discovery: {
      url: 'https://accounts.google.com/.well-known/openid-configuration',
      issuer: 'https://accounts.google.com',
    },
    people: [
      {
        profile: {
          sub: '110169484474386276334',
          name: 'Ada Lovelace',
          given_name: 'Ada',
          family_name: 'Lovelace',
          picture: 'https://lh3.googleusercontent.com/a/x=s96-c',
          email: 'ada@example.com',
          email_verified: true,
          hd: 'example.com',
        },
        user: {
          id: '110169484474386276334',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://lh3.googleusercontent.com/a/x=s96-c',
        },
      },
    ],
  },
  keycloak: {
    create: Keycloak,
    variable: 'KEYCLOAK',
    issuer: 'https://sso.example/realms/main',
    authorization: 'https://sso.example/realms/main/protocol/openid-connect/auth',
    params: oidc,
    discovery: {
      url: 'https://sso.example/realms/main/.well-known/openid-configuration',
      issuer: 'https://sso.example/realms/main',
    },
    people: [
      {
        profile: {
          sub: '5c3d2a0e-8f53-4a9c-a6a3-0f4b5a2b0a11',
          email_verified: false,
          name: 'Ada Lovelace',
          preferred_username: 'ada',
          given_name: 'Ada',
          family_name: 'Lovelace',
          email: 'ada@example.com',
        },
        user: {
          id: '5c3d2a0e-8f53-4a9c-a6a3-0f4b5a2b0a11',
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: null,
        },
      },
      {
        profile: { sub: '1', preferred_username: 'ada' },
        user: { id: '1', name: 'ada', email: null, image: null },
      },
    ],
  },
  line: {
    create: Line,
    variable: 'LINE',
    needsSecret: true,
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    params: oidc,
    discovery: { url: 'https://access.line.me/.well-known/openid-configuration', issuer: 'https://access.line.me' },
    people: [
      {
        profile: {
          sub: 'U1234567890abcdef1234567890abcdef',
          name: 'ラブレス',
          picture: 'https://profile.line-scdn.net/x',
        },
        user: {
          id: 'U1234567890abcdef1234567890abcdef',
          name: 'ラブレス',
          email: null,
          image: 'https://profile.line-scdn.net/x',
        },
      },
    ],
  },
  'microsoft-entra-id': {
    create: MicrosoftEntraID,
    iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    variable: 'MICROSOFT_ENTRA_ID',
    authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    params: { ...oidc, scope: 'openid profile email User.Read' },
    discovery: {
      url: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
      issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    },
    people: [
      {
        profile: {
          sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
          name: 'Ada Lovelace',
          preferred_username: 'ada@contoso.example',
          oid: '00000000-0000-0000-66f3-3332eca7ea81',
          tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
          email: 'ada@contoso.example',
        },
        user: {
          id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
          name: 'Ada Lovelace',
          email: 'ada@contoso.example',
          image: null,
        },
      },
      { profile: { sub: '1', tid: 't' }, user: { id: '1', name: null, email: null, image: null } },
    ],
  },
}
