/** Database servers and free ports, for tests. */
export { freePort } from '../postgres/free-port.ts'
export { isAlive } from '../postgres/postmaster-pid.ts'
export { type Postgres, startPostgres } from '../postgres/start-postgres.ts'
