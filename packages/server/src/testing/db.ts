/** Migrations and array literals, for tests on bare databases. */
export { plainArray, textArray } from '../db/array-literal.ts'
export { migrate } from '../db/migrate.ts'
