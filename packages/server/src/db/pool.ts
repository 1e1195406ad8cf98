import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { chooseHost } from './choose-host.ts'
import { type Connection, type ConnectionSettings, connector } from './connection.ts'
import { connectionPool, nobody } from './connection-pool.ts'
import { copyIn, copyOut } from './copy-stream.ts'
import { readDatabaseUrl } from './database-url.ts'
import { isStalePlan } from './is-database-unavailable.ts'
import { silenceWatch } from './silence-watch.ts'
import { inTransaction, type Queryable, queryable, type Reserved, type Sql } from './sql.ts'
import type { Composed, Execute } from './statement.ts'
import { statementNames } from './statement-names.ts'
import { tlsOptions } from './tls-options.ts'

export { isDatabaseUnavailable } from './is-database-unavailable.ts'
export { PoolerError, refusePooler } from './pooler.ts'
export type { Queryable, Reserved, Sql, Transaction } from './sql.ts'
export { databaseUrlComplaint } from './tls-options.ts'

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
 * Opens the connection pool. Takes libpq's URLs, several hosts and TLS included; see `readDatabaseUrl`.
 * Statements end after 5 s; connections are made when first needed and again after a loss, be it a silent one.
 */
export function openPool(databaseUrl: string, options: PoolOptions): Sql {
  const settings = connectionSettings(databaseUrl, options)
  const opener = (onEnd: ConnectionSettings['onEnd']) => {
    const { hosts, sessions } = settings.address
    return chooseHost(hosts, sessions, connector({ ...settings, onEnd }))
  }
  const pool = connectionPool({
    connectionsMax: options.connectionsMax,
    open: opener((connection, how) => pool.forget(connection, how)),
  })
  const openReserved = opener(() => {})
  const asking = new AsyncLocalStorage<string>()

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
    const connection = await pool.take(asking.getStore() ?? nobody)
    try {
      return await use(connection)
    } finally {
      pool.put(connection)
    }
  }

  const single = queryable(execute)
  return Object.assign(single, {
    alone: <result>(work: (sql: Queryable) => Promise<result>) => work(single),
    begin: <result>(work: Parameters<typeof inTransaction<result>>[1]) =>
      onConnection((connection) => inTransaction(connection, work)),
    async reserve(): Promise<Reserved> {
      const connection = await openReserved()
      return Object.assign(
        queryable((composed) => connection.execute(composed)),
        {
          release: () => void connection.close(),
          copyOut: (text: string, use: (bytes: Readable) => Promise<void>) =>
            connection.alone((client) => use(copyOut(client, text))),
          copyIn: (text: string, bytes: AsyncIterable<Uint8Array>) =>
            connection.alone((client) => copyIn(client, text, bytes)),
        },
      )
    },
    onBehalfOf: <result>(group: string, work: () => result) => asking.run(group, work),
    end: ({ timeout = Number.POSITIVE_INFINITY } = {}) => pool.end(timeout * 1_000),
  })
}

function connectionSettings(
  databaseUrl: string,
  { isPatient = false }: PoolOptions,
): Omit<ConnectionSettings, 'onEnd'> {
  const address = readDatabaseUrl(databaseUrl)
  // A missing certificate file fails the start, not the first connection.
  tlsOptions(address.tls)
  const limits = {
    statement_timeout: statementLimitMs,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
  }
  return {
    address,
    session: {
      ...(!isPatient && limits),
      options: '-c max_parallel_workers_per_gather=0 -c synchronous_commit=on -c jit=off',
    },
    watch: silenceWatch(isPatient ? Number.POSITIVE_INFINITY : silenceMs),
    nameOf: statementNames(),
  }
}
