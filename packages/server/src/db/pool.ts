import postgres from 'postgres'
import { watchedSockets } from './watched-sockets.ts'

export type Sql = postgres.Sql
/** A connection inside a transaction, or the pool: what a store's statement runs on. */
export type Queryable = postgres.ISql
/** An open transaction. */
export type Transaction = postgres.TransactionSql

const statementLimitMs = 5_000
// Longer than any statement may take.
const silenceMs = 6_000

/**
 * Opens the connection pool. Takes libpq's URL forms, also `?host=/folder` for a unix socket.
 * Statements end after 5 s; connections are made when first needed and again after a loss, be it a silent one.
 * `isPatient` waits for statements that lift the limit for themselves, as migrations do.
 */
export function openPool(databaseUrl: string, options: { connectionsMax: number; isPatient?: boolean }): Sql {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host')
  url.searchParams.delete('host')
  const port = Number(url.port || url.searchParams.get('port') || 5432)
  url.searchParams.delete('port')
  if (socketFolder !== null && url.hostname === '') url.hostname = 'localhost'
  const unix =
    socketFolder === null ? undefined : { host: socketFolder, path: `${socketFolder}/.s.PGSQL.${port}` }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const open = watchedSockets(silenceMs)
  // TLS takes the name that the certificate must bear from the socket.
  const socket = () =>
    Object.assign(open(unix === undefined ? { host, port } : { path: unix.path }), { host })
  // The types of postgres.js do not know its option `socket`.
  const watched: object = options.isPatient === true ? {} : { socket }
  return postgres(url.href, {
    ...unix,
    ...watched,
    port,
    max: options.connectionsMax,
    connect_timeout: 5,
    // The default backs off up to minutes: a database that is back must be used at once.
    backoff: () => 0.1,
    onnotice: () => {},
    connection: {
      application_name: 'symbolon',
      statement_timeout: statementLimitMs,
      lock_timeout: 4_000,
      idle_in_transaction_session_timeout: 10_000,
      max_parallel_workers_per_gather: 0,
      synchronous_commit: 'on',
      jit: false,
    },
  })
}

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
])

/** Whether the error means that the database cannot serve now: lost or refused connection, shutdown, overload, time limit. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  // SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention; 25006 is a standby, 40P01 and 55P03 locks.
  return connectionCodes.has(code) || /^(08|53|57)...$|^(25006|40001|40P01|55P03)$/.test(code)
}
