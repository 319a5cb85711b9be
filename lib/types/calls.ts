/** The arguments and results of calls by the application's code, for Express and full-stack frameworks. */
import type { User } from './identity.js'
import type { BuiltInProviderType } from './provider-ids.js'
import type { Session, SessionData } from './session.js'

/** The id of a built-in or custom provider. */
export type ProviderId = BuiltInProviderType | (string & Record<never, never>)

/** The options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** The URL to which the user goes afterwards. Default: the page that the request came from. */
  redirectTo?: string | undefined
  /** Also sign out at the provider, if its option `logout` leaves the choice. Default `false`. */
  federated?: boolean | undefined
  /**
   * End all sessions of the user, in all browsers. JWT sessions require `session.revocation`, database sessions an
   * adapter that lists them. Default `false`.
   */
  everywhere?: boolean | undefined
  /** With `false` the call returns the URL and does not redirect. Default `true`. */
  redirect?: Redirect | undefined
}

/** The options of `signIn`. All other members are fields of the sign-in: user name, password, email address. */
export interface SignInOptions<Redirect extends boolean = boolean>
  extends Omit<SignOutOptions<Redirect>, 'federated' | 'everywhere'>,
    Record<string, unknown> {}

/** The third argument of `signIn`: parameters for the provider's page, in any form that `URLSearchParams` takes. */
export type AuthorizationParams = string | Readonly<Record<string, string>> | URLSearchParams | [string, string][]

/** The value that `update` passes to the `jwt` and `session` callbacks. */
export type SessionUpdate<S = Session> =
  | Partial<S>
  | {
      /** The fields of the user to change. */
      user: S extends {
        /** The user of the session. */
        user?: infer U
      }
        ? Partial<NonNullable<U>>
        : unknown
    }

/** The data of a session, as declared in the session's type, or {@link SessionData}. */
export type SessionDataOf<S> = S extends {
  /** The application's data in the session. */
  data?: infer Data
}
  ? Extract<Data, object>
  : SessionData

/** A partial change of data, in which `undefined` removes a value. */
export type DataPatch<Data> = { readonly [Key in keyof Data]?: Data[Key] | undefined }

/**
 * The argument of `auth.sessions.setData`: values to merge, where `undefined` removes one, or a function that returns
 * the new data from the old. The function may be called several times, so it must not have side effects.
 */
export type SessionDataChange<S = Session> =
  | DataPatch<SessionDataOf<S>>
  | ((data: SessionDataOf<S>) => SessionDataOf<S>)

/** A user whom the application knows by an id, for `startSession`. */
export interface KnownUser extends User {
  /** With an adapter, the id of a stored user; the other members are ignored. Without one, the id in the session. */
  id: string
}

/** A user with a verified email address, for `startSession`. Requires an adapter. Other fields are rejected. */
export interface VerifiedEmail {
  /** Absent, because a user with an id is a {@link KnownUser}. */
  id?: undefined
  /** The email address. Its user is signed in; if there is none, a user is created. */
  email: string
  /** The application's assertion that this user verified the address, for example by a link that you sent. */
  emailVerified: true
  /** The name of a new user. */
  name?: string | null
  /** The image of a new user: an http(s) URL, or a data URL. */
  image?: string | null
}

/** The options of `startSession`: the user and the session, and the proof of the user's identity. */
export type StartSessionOptions = StartSessionUserOptions & (CurrentProofOptions | StatedProofsOptions)

/** The options of `startSession` without the proof. */
export interface StartSessionUserOptions {
  /** The user of the session, by an id or by an email address. */
  user: KnownUser | VerifiedEmail
  /**
   * Seconds after which the session ends, regardless of activity: at least 1, in whole seconds. The session never
   * outlives one of the configuration. In such a session no account or passkey can be added and no email address
   * changed. Default: as configured.
   */
  maxAge?: number | undefined
  /** Keeps the user signed in for `session.rememberMaxAge`, if that is set. Default `false`. */
  remember?: boolean | undefined
  /** The initial data of the session, if `session.data` is on. Default: `{}`. */
  data?: SessionData | undefined
  /** The URL for `url` of the result. Default: the page that the request came from. */
  redirectTo?: string | undefined
}

/** A proof that was given just now, for `startSession`. */
export interface CurrentProofOptions {
  /**
   * The methods that authenticated the user (RFC 8176 §2), such as `['otp']`: at most 8 words of 32 characters. They
   * are added to the session. Empty if unknown.
   */
  amr: readonly string[]
  /** 2 if your check had two factors; then no second factor is requested. Default: one factor. */
  aal?: 2 | undefined
  /** Absent, because `amr` and `aal` describe the only proof. */
  proofs?: undefined
}

/** Proofs with times of their own, for `startSession` after a sign-in at another service. */
export interface StatedProofsOptions {
  /** The proofs, 1 to 4, with at most 8 methods in all. */
  proofs: readonly StatedProof[]
  /** Absent, because each proof has its own methods. */
  amr?: undefined
  /** Absent, because each proof has its own level. */
  aal?: undefined
}

/**
 * A proof of the user's identity that your code has checked, such as the authentication statement of a SAML assertion.
 * The session has exactly the methods, the level and the time that it states.
 */
export interface StatedProof {
  /** The methods of the proof (RFC 8176 §2), such as `['pwd']`: words of at most 32 characters. Empty if unknown. */
  amr: readonly string[]
  /** 2 if this proof counts as two factors. Default: one factor, even beside other stated proofs. */
  aal?: 2 | undefined
  /**
   * The time of the authentication, in seconds since the epoch, such as `auth_time` of OpenID Connect. Guards with
   * `maxAge` count from it. A time in the future by up to five minutes is treated as now.
   */
  at: number
}

/** The result of `startSession`. */
export type StartedSession =
  | {
      /** The user is signed in. */
      readonly started: true
      /** The user: the stored one if there is an adapter. */
      readonly user: User
      /** `true` if the call created the user. */
      readonly isNewUser: boolean
      /**
       * The URL to which the user goes: `redirectTo` after the `redirect` callback, or `pages.newUser` for a new user.
       */
      readonly url: string
    }
  | {
      /** The user is not signed in, because the `signIn` callback returned a URL. */
      readonly started: false
      /** The URL that the `signIn` callback returned. */
      readonly url: string
    }
