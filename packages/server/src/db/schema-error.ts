/**
 * The database's schema and this build do not fit. `unreleased`: the schema is one that no release had, so nothing leads from it to
 * this build's; `newer`: the schema has moved on to where this build no longer works.
 */
export class SchemaError extends Error {
  readonly reason: 'unreleased' | 'newer'

  constructor(reason: 'unreleased' | 'newer', message: string) {
    super(message)
    this.name = 'SchemaError'
    this.reason = reason
  }
}
