/** The parts used of the driver, which may not be installed. */
declare module 'better-sqlite3' {
  const Database: new (
    path: string,
  ) => {
    exec(sql: string): unknown
    prepare(sql: string): {
      readonly reader: boolean
      raw(): unknown
      get(parameters: readonly unknown[]): unknown
      all(parameters: readonly unknown[]): unknown[]
      run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
      iterate(parameters: readonly unknown[]): IterableIterator<unknown>
    }
    close(): void
  }
  export default Database
}
