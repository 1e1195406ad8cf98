import postgres from 'postgres'
import { arrayTypes } from './array-types.ts'
import { watchedSockets } from './watched-sockets.ts'
import { wholeResults } from './whole-results.ts'

/** The connection pool; its tagged template is a statement. */
export type Sql = postgres.Sql
/** A connection inside a transaction, or the pool: what a store's statement runs on. */
export type Queryable = postgres.ISql
/** An open transaction. */
export type Transaction = postgres.TransactionSql

const statementLimitMs = 5_000
// Longer than any statement may take.
const silenceMs = 6_000

/** `isPatient` waits for statements that lift the time limit for themselves, as migrations do. */
export type PoolOptions = { connectionsMax: number; isPatient?: boolean }

/**
 * Opens the connection pool. Takes libpq's URL forms, also `?host=/folder` for a unix socket.
 * Statements end after 5 s; connections are made when first needed and again after a loss, be it a silent one.
 *
 * With the first connection that is lost the driver's whole pool is retired and the next statement opens a new one. The
 * driver (3.4.9) would use the lost connection's state again: statements that reached it between its error and its end
 * stay in its queue, and those after the reconnect get each other's rows.
 */
export function openPool(databaseUrl: string, options: PoolOptions): Sql {
  let current: Sql | undefined
  let isEnded = false

  function pool(): Sql {
    if (current !== undefined) return current
    const made: Sql = driverPool(databaseUrl, options, () => {
      if (current !== made || isEnded) return
      current = undefined
      // What runs on its other connections, or waits for one, fails as well: it would wait in vain.
      made.end({ timeout: 0 }).catch(() => {})
    })
    current = made
    return made
  }

  const end: Sql['end'] = async (how) => {
    const last = pool()
    isEnded = true
    await last.end(how)
  }
  const reserve: Sql['reserve'] = () => reserveConnection(databaseUrl, options)
  const latest = new Proxy(pool(), {
    apply: (_, self, statement) => Reflect.apply(pool(), self, statement),
    get: (_, name) => (name === 'end' ? end : name === 'reserve' ? reserve : Reflect.get(pool(), name)),
  })
  return wholeResults(latest)
}

/** A connection beside the pool, closed at its release: the driver's own way waits for ever where none is open yet. */
async function reserveConnection(databaseUrl: string, options: PoolOptions): Promise<postgres.ReservedSql> {
  const own: Sql = driverPool(databaseUrl, { ...options, connectionsMax: 1 }, () => close())
  const close = () => {
    own.end({ timeout: 0 }).catch(() => {})
  }
  await own`select 1`
  const reserved = await own.reserve()
  return wholeResults(Object.assign(reserved, { release: close }))
}

function driverPool(
  databaseUrl: string,
  { connectionsMax, isPatient = false }: PoolOptions,
  onLoss: () => void,
): Sql {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host')
  url.searchParams.delete('host')
  const port = Number(url.port || url.searchParams.get('port') || 5432)
  url.searchParams.delete('port')
  if (socketFolder !== null && url.hostname === '') url.hostname = 'localhost'
  const unix =
    socketFolder === null ? undefined : { host: socketFolder, path: `${socketFolder}/.s.PGSQL.${port}` }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const open = watchedSockets(isPatient ? Number.POSITIVE_INFINITY : silenceMs)
  const socket = () => {
    const opened = open(unix === undefined ? { host, port } : { path: unix.path })
    // Ours are the first listeners: no statement comes between the driver's rejections and the new pool.
    opened.on('error', onLoss).on('close', onLoss)
    // TLS takes the name that the certificate must bear from the socket.
    return Object.assign(opened, { host })
  }
  // The types of postgres.js do not know its option `socket`.
  const ownSocket: object = { socket }
  return postgres(url.href, {
    ...unix,
    ...ownSocket,
    port,
    max: connectionsMax,
    connect_timeout: 5,
    // The end of a connection would count as its loss.
    max_lifetime: null,
    // The default backs off up to minutes: a database that is back must be used at once.
    backoff: () => 0.1,
    onnotice: () => {},
    // Below TLS the socket's own events are lost.
    onclose: onLoss,
    fetch_types: false,
    types: arrayTypes,
    connection: {
      application_name: 'symbolon',
      statement_timeout: statementLimitMs,
      lock_timeout: 4_000,
      idle_in_transaction_session_timeout: 10_000,
      max_parallel_workers_per_gather: 0,
      synchronous_commit: 'on',
      jit: false,
    },
  }) as Sql
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
