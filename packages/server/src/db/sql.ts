import type { Readable } from 'node:stream'
import { isFailure } from '../runtime/failure.ts'
import { type Composed, type Execute, type Part, type Rows, Statement, Verbatim } from './statement.ts'
import { Json, type Value } from './values.ts'

type Row = Record<string, unknown>

/**
 * What a store's statement runs on: the pool, or the connection of a transaction.
 * @example
 * const rows = await sql<{ id: string }[]>`select id from wallets where organization_id = ${organizationId} ${onlyTee ? sql`and signing_mode = 'tee'` : sql``}`
 */
export type Queryable = {
  /** A statement. Values become `$n` and never text; an array is one value; fragments become part of it. */
  <rows extends readonly unknown[] = Row[]>(
    texts: TemplateStringsArray,
    ...parts: readonly Part[]
  ): Statement<rows>
  /** Text of our own as a fragment, or run as it is: several statements at once where it has no values. */
  unsafe<rows extends readonly unknown[] = Row[]>(text: string, values?: readonly Value[]): Statement<rows>
  /** A quoted name of a table or column. */
  identifier(name: string): Verbatim
  /** A value that travels as JSON. */
  json(value: unknown): Json
}

/** An open transaction. */
export type Transaction = Queryable & {
  /** Runs `work`; when it throws or returns a `Failure`, what it did is undone and the transaction goes on. */
  savepoint<result>(work: (tx: Transaction) => Promise<result>): Promise<result>
}

/** A connection of its own, in nobody else's use until its release. */
export type Reserved = Queryable & {
  release(): void
  /** Gives `use` the bytes of a `copy … to stdout`, all of which it has to read. */
  copyOut(text: string, use: (bytes: Readable) => Promise<void>): Promise<void>
  /** Sends bytes to a `copy … from stdin`. */
  copyIn(text: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

/** The connection pool; its tagged template is a statement. */
export type Sql = Queryable & {
  /** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects or resolves with a `Failure`. */
  begin<result>(work: (tx: Transaction) => Promise<result>): Promise<result>
  /** Runs one statement that changes something, by itself: for a request under an idempotency key, with the mark of that. */
  alone<result>(work: (sql: Queryable) => Promise<result>): Promise<result>
  /**
   * Runs `work`, whose statements and transactions wait for connections with those of the group: groups take turns. What is asked on
   * nobody's behalf is a group too.
   */
  onBehalfOf<result>(group: string, work: () => result): result
  /** Opens a connection beside the pool. */
  reserve(): Promise<Reserved>
  /** Ends all connections once what runs has ended, or after so many seconds. */
  end(how?: { timeout?: number }): Promise<void>
}

/** The tagged template over a way to send statements. */
export function queryable(execute: Execute): Queryable {
  const statement = <rows extends readonly unknown[] = Row[]>(
    texts: TemplateStringsArray,
    ...parts: readonly Part[]
  ) => new Statement<rows>(texts, parts, execute)
  return Object.assign(statement, {
    unsafe: <rows extends readonly unknown[] = Row[]>(text: string, values: readonly Value[] = []) =>
      new Statement<rows>([text], [], execute, { values }),
    identifier: (name: string) => new Verbatim(`"${name.replaceAll('"', '""')}"`),
    json: (value: unknown) => new Json(value),
  })
}

/** What a transaction needs of its connection. */
export type TransactionConnection = {
  readonly isLost: boolean
  execute(composed: Composed): Promise<Rows<unknown> & { readonly command: string }>
  /** Ends the connection: nobody may go on where it stands. */
  close(): void
}

/** Runs `work` between `begin` and `commit` on a connection. Rolls back where it throws or returns a failure. */
export async function inTransaction<result>(
  connection: TransactionConnection,
  work: (tx: Transaction) => Promise<result>,
): Promise<result> {
  let isOver = false
  const send: Execute = async (composed) => {
    if (isOver) throw new Error('The transaction of this statement is over.')
    return connection.execute(composed)
  }
  try {
    await connection.execute(plain('begin'))
    const result = await work(transaction(send, { last: 0 }))
    isOver = true
    if (isFailure(result)) {
      await connection.execute(plain('rollback'))
      return result
    }
    // PostgreSQL answers `commit` with a rollback, and without an error, where a statement failed and nobody said so.
    const { command } = await connection.execute(plain('commit'))
    if (command !== 'COMMIT')
      throw new Error('A transaction was to be committed after one of its statements had failed.')
    return result
  } catch (error) {
    isOver = true
    if (!connection.isLost) await connection.execute(plain('rollback')).catch(() => connection.close())
    throw error
  }
}

function transaction(send: Execute, names: { last: number }): Transaction {
  const tx: Transaction = Object.assign(queryable(send), {
    async savepoint<result>(work: (inner: Transaction) => Promise<result>): Promise<result> {
      names.last += 1
      const name = `s${names.last}`
      await send(plain(`savepoint ${name}`))
      try {
        const result = await work(tx)
        if (isFailure(result)) await send(plain(`rollback to savepoint ${name}`))
        return result
      } catch (error) {
        await send(plain(`rollback to savepoint ${name}`))
        throw error
      }
    },
  })
  return tx
}

const plain = (text: string): Composed => ({ text, values: [], isPrepared: false })
