/** The functions of account pages and support desks. */

export { accountFunctions } from './account-functions.js'
export { sessionFunctions } from './session-functions.js'
export { userFunctions } from './users.js'
