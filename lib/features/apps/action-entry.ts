/** The endpoints of apps: the part that is loaded at the first request of an app. */
export { authorize } from './action-authorize.js'
export { redeem } from './action-redeem.js'
export { signOutApp } from './action-sign-out.js'
