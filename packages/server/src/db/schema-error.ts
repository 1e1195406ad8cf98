/**
 * The database's schema and this build do not fit. `unreleased`: the schema is one that no release had, so nothing leads from it to
 * this build's; `newer`: the schema has moved on to where this build no longer works; `older`: it was not migrated to this build's.
 */
export class SchemaError extends Error {
  readonly reason: 'unreleased' | 'newer' | 'older'

  constructor(reason: 'unreleased' | 'newer' | 'older', message: string) {
    super(message)
    this.name = 'SchemaError'
    this.reason = reason
  }
}
