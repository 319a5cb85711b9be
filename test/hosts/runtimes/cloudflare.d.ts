/** The module of the runtime that has the bindings of a Worker. */
declare module 'cloudflare:workers' {
  export const env: unknown
}
