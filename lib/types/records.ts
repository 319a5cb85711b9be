/** The types of records, derived from the description of their table. */
import type { ColumnType, RecordLease, RecordPageQuery, RecordTable } from './store.js'

interface Values {
  readonly id: string
  readonly text: string
  readonly longText: string
  readonly number: number
  readonly boolean: boolean
  readonly time: Date
}

type ValueOf<C extends ColumnType> = C extends keyof Values
  ? Values[C]
  : C extends `${infer Base extends keyof Values}?`
    ? Values[Base] | null
    : never

/** A record to be written to a table. */
export type NewRecord<T extends RecordTable> = { readonly [C in keyof T['columns']]: ValueOf<T['columns'][C]> }

/** A record of a table, as it is stored. */
export type RecordOf<T extends RecordTable> = NewRecord<T> &
  (T['version'] extends true ? { readonly version: number } : unknown)

/** The key of a record. */
export type KeyOf<T extends RecordTable> = { readonly [C in T['key'][number]]: string }

/** A table whose methods answer in time, or reject with `AdapterError` (`store/guard`). Their results have the types that the description names. */
export interface Records<T extends RecordTable> {
  find(key: KeyOf<T>): Promise<RecordOf<T> | null>
  /** Returns the record if its user is stored. Absent if the store does not know the users. */
  readonly findOfUser?: ((key: KeyOf<T>) => Promise<RecordOf<T> | null>) | undefined
  /** Returns the records that have not expired, in the order of the description. */
  list(by: string): Promise<ReadonlyArray<RecordOf<T>>>
  /** Returns a page of the records with this value in the first column of the key. Expired ones are left out. */
  page(first: string, query: RecordPageQuery): Promise<ReadonlyArray<RecordOf<T>>>
  write(record: NewRecord<T>, previous: number): Promise<boolean>
  take(key: KeyOf<T>): Promise<RecordOf<T> | null>
  /** Removes the records with these values: of `by`, of the key, or of both. Returns their number. */
  remove(where: Where<T>): Promise<number>
  lease(key: KeyOf<T>, lease: RecordLease): Promise<boolean>
  release(key: KeyOf<T>, leaseId: string): Promise<void>
}

/** The columns by which records are removed. Further properties are ignored. */
type Where<T extends RecordTable> = { readonly [C in T['key'][number] | NonNullable<T['by']>]?: string }
