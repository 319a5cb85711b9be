/** The application's own fields of users: their declaration, and the types that follow from it. */

/** The type of a field: `string`, a finite `number`, `boolean`, `date`, or the list of allowed strings. */
export type UserFieldType = 'string' | 'number' | 'boolean' | 'date' | readonly string[]

/**
 * A field of users, as an application declares it: its type, or the type with a default. A field without a default can
 * be `null`.
 */
export type UserField =
  | UserFieldType
  | {
      /** The type of the values. */
      readonly type: UserFieldType
      /** The value of users without one. The field is then never `null`. Dates have no default. */
      readonly default?: string | number | boolean
    }

/** The fields of users by their names, which are the names of the columns. */
export type UserFields = Readonly<Record<string, UserField>>

/** The value of a field of type `T`. */
type ValueOf<T> = T extends 'string'
  ? string
  : T extends 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'date'
        ? Date
        : T extends readonly (infer Value)[]
          ? Value
          : never

/** The values of declared fields: `{ role: 'string' }` becomes `{ role: string | null }`. */
export type UserFieldValues<D> = {
  -readonly [Name in keyof D]: D[Name] extends {
    /** The type of the values. */
    type: infer T
  }
    ? D[Name] extends {
        /** The value of users without one. */
        default: string | number | boolean
      }
      ? ValueOf<T>
      : ValueOf<T> | null
    : ValueOf<D[Name]> | null
}

/** The fields that `session.userFields` names, as in `session.user`. Dates are text, because sessions are JSON. */
export type SessionUserFields<F, Name extends string> = {
  -readonly [Field in Name & keyof F]: F[Field] extends Date
    ? string
    : F[Field] extends Date | null
      ? string | null
      : F[Field]
}

/** A declared field, complete: as adapters describe it in `userFields`. */
export interface UserFieldDescription {
  /** The type of the values. */
  readonly type: 'string' | 'number' | 'boolean' | 'date'
  /** The allowed strings. Absent if all are. */
  readonly values?: readonly string[]
  /** The value of users without one. Absent if it is `null`. */
  readonly default?: string | number | boolean
}

/** The declared fields of an adapter by their names. `F` is the type of their values. */
export type UserFieldDescriptions<F> = {
  readonly [Name in keyof F]: UserFieldDescription
}
