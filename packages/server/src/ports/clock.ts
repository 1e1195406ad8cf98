/** Makes ids: UUIDv7, lower case, rising with time. */
export type Ids = { next(): string }

/** The process's own clock: for measuring and for ids. Time limits use the database's (`app_now()`). */
export type Clock = { nowMs(): number }
