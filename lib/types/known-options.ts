/** What TypeScript looks at beside the inferred type of a configuration. */

/**
 * Makes a misspelt option a compile error, which inference alone would let pass, and shows editors the comment of each option.
 * A list of providers is checked by inference only: here TypeScript would refuse one that is made with `...(isOn ? [GitHub] : [])`.
 */
export type KnownOptions<C, Config> = {
  [Option in keyof Config]: Option extends 'providers' ? unknown : Config[Option]
} & {
  readonly [Name in Exclude<keyof C, keyof Config>]: [C[Name]] extends [null | undefined] ? never : UnknownOption<Name>
}

/** A type that no value has. Its name and its member are part of the compile error. `any`, `null` and `undefined` need `never` for one. */
interface UnknownOption<Name> {
  /** The name of the option in the configuration. */
  readonly 'there is no such option': Name
}
