/** What calls of the application's own code take and give, the same on Express and in full-stack frameworks. */
import type { User } from './identity.js'
import type { BuiltInProviderType } from './provider-ids.js'
import type { Session, SessionData } from './session.js'

/** The id of a provider: a built-in one, or one of yours. */
export type ProviderId = BuiltInProviderType | (string & Record<never, never>)

/** Options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Where the person goes afterwards. Default: the page that the request came from. */
  redirectTo?: string | undefined
  /** Sign out at the provider, too, where its option `logout` leaves the choice. Default `false`. */
  federated?: boolean | undefined
  /** `false`: return the URL instead of going there. Default `true`. */
  redirect?: Redirect | undefined
}

/** Options of `signIn`. All others are fields of the sign-in: user name, password, e-mail address. */
export interface SignInOptions<Redirect extends boolean = boolean>
  extends Omit<SignOutOptions<Redirect>, 'federated'>,
    Record<string, unknown> {}

/** The third argument of `signIn`, parameters for the provider's page: in any form that `URLSearchParams` takes. */
export type AuthorizationParams = string | Readonly<Record<string, string>> | URLSearchParams | [string, string][]

/** What `update` hands to the `jwt` and `session` callbacks. */
export type SessionUpdate<S = Session> =
  | Partial<S>
  | {
      /** Fields of the person to be changed. */
      user: S extends {
        /** The person of the session. */
        user?: infer U
      }
        ? Partial<NonNullable<U>>
        : unknown
    }

/** The data of a session: as its type says it, else {@link SessionData}. */
export type DataOf<S> = S extends {
  /** What your code keeps in the session. */
  data?: infer Data
}
  ? Extract<Data, object>
  : SessionData

/** Values of which those that are `undefined` take theirs away. */
export type DataPatch<Data> = { readonly [Key in keyof Data]?: Data[Key] | undefined }

/**
 * What `auth.sessions.setData` does: values that take the place of those of the same names, where `undefined` removes one; or a function
 * that makes the new data of the old. It may be called several times, so let it do nothing else.
 */
export type SessionDataChange<S = Session> = DataPatch<DataOf<S>> | ((data: DataOf<S>) => DataOf<S>)

/** Whose session `startSession` begins: somebody whom the application knows by an id. */
export interface KnownPerson extends User {
  /** With an adapter the id of a stored user, and nothing else is read. Without one it is the id in the session. */
  id: string
}

/** Whose session `startSession` begins: whoever has this address. Needs an adapter. */
export interface ProvedAddress {
  /** Absent: somebody with an id is a {@link KnownPerson}. */
  id?: undefined
  /** The address. The user who has it is signed in; where nobody does, a user is made. */
  email: string
  /** Your word for it that this very person has shown that the address is theirs, by a link that you mailed for instance. */
  emailVerified: true
  /** For a user who is made by this. */
  name?: string | null
  /** For a user who is made by this: an http(s) URL, or a picture's data. */
  image?: string | null
}

/** Options of `startSession`. */
export interface StartSessionOptions {
  /** Whose session it is: somebody by an id, or whoever has an address. */
  user: KnownPerson | ProvedAddress
  /**
   * By which methods the person was authenticated (RFC 8176 §2), such as `['otp']`: at most 8 words of 32 characters. The session
   * says them. Empty where you do not know.
   */
  amr: readonly string[]
  /** 2 where your proof was of two factors: no other one is asked for then. Default: one. */
  aal?: 2 | undefined
  /**
   * Seconds after which the session ends, however active it is: at least 1. Counted in whole seconds. It never lives
   * longer than one of the configuration, and in such a session no account or passkey is added and no address changed. Default: as
   * configured.
   */
  maxAge?: number | undefined
  /** Keeps the person signed in for `session.rememberMaxAge`, where that is set. Default `false`. */
  remember?: boolean | undefined
  /** What the session's data is at first, where `session.data` is on. Default: `{}`. */
  data?: SessionData | undefined
  /** Where the person is to go, for `url` of what comes back. Default: the page that the request came from. */
  redirectTo?: string | undefined
}

/** What `startSession` came to. */
export type StartedSession =
  | {
      /** Whether the person is signed in now. */
      readonly started: true
      /** The stored user, where there is an adapter. */
      readonly user: User
      /** Whether the user was made by this. */
      readonly isNewUser: boolean
      /** Where the person goes now: `redirectTo` after the `redirect` callback; `pages.newUser` for a new user. */
      readonly url: string
    }
  | {
      /** The `signIn` callback sends the person to `url` instead. Nobody is signed in by it. */
      readonly started: false
      /** Where the `signIn` callback sends the person. */
      readonly url: string
    }
