import { type Connection, type ConnectionSettings, openConnection } from './connection.ts'
import { connectionPool } from './connection-pool.ts'
import { readDatabaseUrl } from './database-url.ts'
import { silenceWatch } from './silence-watch.ts'
import { inTransaction, queryable, type Reserved, type Sql } from './sql.ts'
import type { Composed, Execute } from './statement.ts'
import { statementNames } from './statement-names.ts'

export type { Queryable, Reserved, Sql, Transaction } from './sql.ts'

const statementLimitMs = 5_000
// Longer than any statement may take.
const silenceMs = 6_000

/**
 * `isPatient`: no time limit on statements and locks, as migrations and tests want it. `onStatement` sees each statement of a template
 * before it is sent.
 */
export type PoolOptions = {
  connectionsMax: number
  isPatient?: boolean
  onStatement?: (statement: Composed) => void
}

/**
 * Opens the connection pool. Takes libpq's URL forms, also `?host=/folder` for a unix socket.
 * Statements end after 5 s; connections are made when first needed and again after a loss, be it a silent one.
 */
export function openPool(databaseUrl: string, options: PoolOptions): Sql {
  const settings = connectionSettings(databaseUrl, options)
  const pool = connectionPool({
    connectionsMax: options.connectionsMax,
    open: () => openConnection({ ...settings, onLost: (connection) => pool.forget(connection) }),
  })

  const execute: Execute = async (composed) => {
    options.onStatement?.(composed)
    try {
      return await onConnection((connection) => connection.execute(composed))
    } catch (error) {
      if (!isStalePlan(error)) throw error
      // It was refused before it ran. The connection that held the plan is gone; others may hold it too.
      return onConnection((connection) => connection.execute({ ...composed, isPrepared: false }))
    }
  }

  async function onConnection<result>(use: (connection: Connection) => Promise<result>): Promise<result> {
    const connection = await pool.take()
    try {
      return await use(connection)
    } finally {
      pool.put(connection)
    }
  }

  return Object.assign(queryable(execute), {
    begin: <result>(work: Parameters<typeof inTransaction<result>>[1]) =>
      onConnection((connection) => inTransaction(connection, work)),
    async reserve(): Promise<Reserved> {
      const connection = await openConnection({ ...settings, onLost: () => {} })
      return Object.assign(
        queryable((composed) => connection.execute(composed)),
        { release: () => void connection.close() },
      )
    },
    end: ({ timeout = Number.POSITIVE_INFINITY } = {}) => pool.end(timeout * 1_000),
  })
}

function connectionSettings(
  databaseUrl: string,
  { isPatient = false }: PoolOptions,
): Omit<ConnectionSettings, 'onLost'> {
  const limits = {
    statement_timeout: statementLimitMs,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
  }
  return {
    client: {
      ...readDatabaseUrl(databaseUrl),
      ssl: false,
      ...(!isPatient && limits),
      options: '-c max_parallel_workers_per_gather=0 -c synchronous_commit=on -c jit=off',
    },
    watch: silenceWatch(isPatient ? Number.POSITIVE_INFINITY : silenceMs),
    nameOf: statementNames(),
  }
}

/** A migration has changed what a prepared statement answers. */
const isStalePlan = (error: unknown) =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_FAILED',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Whether the error means that the database cannot serve now: lost or refused connection, shutdown, overload, time limit. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isStalePlan(error)) return true
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  // SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention; 25006 is a standby, 40P01 and 55P03 locks.
  return connectionCodes.has(code) || /^(08|53|57)...$|^(25006|40001|40P01|55P03)$/.test(code)
}
