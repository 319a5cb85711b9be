/** Supports the clients of two packages, which spell commands differently. */

/** The methods used of a client, cluster or pool of the package `redis`. */
export interface NodeRedisClient {
  /** The command GET. */
  get(key: string): Promise<unknown>
  /** The command GETDEL, of Redis 6.2. */
  getDel(key: string): Promise<unknown>
  /** The command EVAL: runs a Lua script. */
  eval(
    script: string,
    options: {
      /** The keys that the script uses. */
      keys: string[]
      /** The other arguments. */
      arguments: string[]
    },
  ): Promise<unknown>
}

/** The methods used of a client or cluster of the package `ioredis`. */
export interface IORedisClient {
  /** The command GET. */
  get(key: string): Promise<unknown>
  /** The command GETDEL, of Redis 6.2. */
  getdel(key: string): Promise<unknown>
  /** The command EVAL: runs a Lua script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>
}

/** The commands that the stores use. */
export interface Commands {
  get(key: string): Promise<unknown>
  /** GETDEL */
  take(key: string): Promise<unknown>
  /** EVAL. In a cluster all keys must be in one slot. */
  run(script: string, keys: readonly string[], ...rest: string[]): Promise<unknown>
}

/**
 * Adapts a client of either package.
 *
 * @param what The name of the calling function, for errors.
 * @throws {TypeError} for anything else.
 */
export function toCommands(client: NodeRedisClient | IORedisClient, what: string): Commands {
  if (isNodeRedis(client)) {
    return {
      get: (key) => client.get(key),
      take: (key) => client.getDel(key),
      run: (script, keys, ...rest) => client.eval(script, { keys: [...keys], arguments: rest }),
    }
  }
  if (isIORedis(client)) {
    return {
      get: (key) => client.get(key),
      take: (key) => client.getdel(key),
      run: (script, keys, ...rest) => client.eval(script, keys.length, ...keys, ...rest),
    }
  }
  throw new TypeError(`${what}: pass a connected client of the package \`redis\` or \`ioredis\``)
}

/** Checks the spelling of the commands, which differs between the packages. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasMethods(client, ['get', 'getDel', 'eval'])
}

function isIORedis(client: unknown): client is IORedisClient {
  return hasMethods(client, ['get', 'getdel', 'eval'])
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}
