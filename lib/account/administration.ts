/** The functions of `auth.users` that read or change users, and their export. Loaded when one of them is first called. */
export { exportUser } from '../features/deletion/calls-export.js'
export { createUser } from './create-user.js'
export { listUsers } from './list-users.js'
export { updateUser } from './update-user.js'
export { getUserDetails } from './user-details.js'
