/** All that strangers send. */
import type { Target } from '../explore.js'
import { aborted } from './aborted.js'
import { app, deletion, organization } from './accounts.js'
import { connect } from './connect.js'
import { costs } from './costs.js'
import { captcha, guesses } from './limits.js'
import { backchannel, frontchannel, signOutReturn } from './logout.js'
import { address, link } from './mail.js'
import { body, path, query, request } from './messages.js'
import { authentication, registration } from './passkeys.js'
import { place, remember } from './place.js'
import { callback, discovery, jwks, token, userinfo } from './providers.js'
import { cookies, tokens, update } from './sessions.js'

export const targets: readonly Target[] = [
  request,
  path,
  query,
  body,
  cookies,
  tokens,
  update,
  callback,
  connect,
  token,
  userinfo,
  discovery,
  jwks,
  backchannel,
  frontchannel,
  signOutReturn,
  address,
  link,
  authentication,
  registration,
  place,
  remember,
  guesses,
  captcha,
  organization,
  deletion,
  app,
  aborted,
  costs,
]
