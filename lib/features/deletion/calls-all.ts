/** The deletion and the export of users. Loaded at the first call. */
export { deleteUser, listUnfinishedDeletions } from './calls-delete.js'
export { exportUser } from './calls-export.js'
