/** The code that the functions load at their first call. */
export { accessToken, disconnect, exchange, fetchWithToken } from './calls-access.js'
export { connectUrl } from './calls-connect.js'
