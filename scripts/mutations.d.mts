/**
 * The gain for an attacker without the defence, the file, its text, the replacement, and the tests that must notice.
 */
export type Mutation = [gain: string, file: string, text: string, replacement: string, tests: string[]]

export const mutations: readonly Mutation[]
