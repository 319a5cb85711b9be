/** What is gained without the defence, the file, its text, the text in its place, and the tests that must notice. */
export type Mutation = [gain: string, file: string, text: string, replacement: string, tests: string[]]

export const mutations: readonly Mutation[]
