/** The causes of a session's end. */

/**
 * The cause of a session's end: the function of this name. `provider`: a provider reported a sign-out. `replaced`: another sign-in
 * in the same browser. `steppedUp`: a session with more proofs replaced it. `organizationChanged`: one with another active
 * organization replaced it. `addressProved`: another user verified the email address that this user had not verified.
 * `passwordChanged`: the user has another password. `appCodeReused`: the code with which an app began the session was used again, or could
 * not be stored as used.
 */
export type SessionEndReason =
  | 'endSession'
  | 'endOtherSessions'
  | 'endSessionsOf'
  | 'disableUser'
  | 'provider'
  | 'replaced'
  | 'steppedUp'
  | 'organizationChanged'
  | 'resetFactors'
  | 'addressProved'
  | 'passwordChanged'
  | 'deleteUser'
  | 'appCodeReused'
