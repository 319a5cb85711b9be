/** The deletion of users: the part that is loaded at first use. */
export { deleteUser, listUnfinishedDeletions, scheduleDeletion } from './delete.js'
