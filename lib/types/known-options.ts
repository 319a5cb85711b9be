/** The compile-time check of a configuration's option names. */
import type { ServerAuthConfig } from './config.js'

/**
 * A type that makes a misspelt option a compile error, and shows each option's comment in editors. Inference alone
 * would allow the option. Lists of providers are checked by inference only, because this type would reject `...(isOn ?
 * [GitHub] : [])`.
 */
export type KnownOptions<C, Config> = {
  [Option in keyof Config]: Option extends 'providers' ? unknown : Config[Option]
} & {
  readonly [Name in Exclude<keyof C, keyof Config>]: [C[Name]] extends [null | undefined] ? never : UnknownOption<Name>
}

/** A type that makes a name in `session.userFields` a compile error if the adapter does not declare the field. */
export type DeclaredFields<Fields, Shown extends string> = string extends Shown
  ? unknown
  : [Exclude<Shown, keyof Fields>] extends [never]
    ? unknown
    : {
        /** The option `session` of the configuration. */
        session: {
          /** The names that the adapter declares. */
          userFields: ReadonlyArray<keyof NoInfer<Fields>>
        }
      }

/** The options from which the application's own fields of users are inferred, in a function that returns a configuration. */
export type FieldsSource<Fields, Shown extends string> = Pick<ServerAuthConfig<Fields, Shown>, 'adapter' | 'session'>

/**
 * A type without values, whose name and member are part of the compile error. `any`, `null` and `undefined` need
 * `never` instead.
 */
interface UnknownOption<Name> {
  /** The name of the option in the configuration. */
  readonly 'there is no such option': Name
}
