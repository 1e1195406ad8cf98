import { Socket } from 'node:net'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { SilenceWatch } from './silence-watch.ts'
import type { Composed, Rows } from './statement.ts'
import { parserOf } from './values.ts'

/** One open connection to the database; statements run one after the other. */
export type Connection = {
  /** Whether it is unfit for further statements: lost, closed, or left in the middle of something. */
  readonly isLost: boolean
  /** The clock's reading when it was opened, in ms; see `performance.now()`. */
  readonly openedAtMs: number
  execute(composed: Composed): Promise<Rows<unknown> & { readonly command: string }>
  /** Says goodbye; what still runs fails. Resolves when the socket is closed. */
  close(): Promise<void>
}

/** What a connection is opened with. */
export type ConnectionSettings = {
  client: ClientConfig
  watch: SilenceWatch
  /** The name under which a text is prepared; undefined: it is sent anew each time. */
  nameOf(text: string): string | undefined
  /** Called once, when the connection is lost or closed. */
  onLost(connection: Connection): void
}

const connectWithinMs = 5_000
const goodbyeWithinMs = 1_000

/** An error of the connection and not of a statement. `code` is one that `isDatabaseUnavailable` knows. */
export class ConnectionError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Opens a connection. Rejects with a `ConnectionError`, or with the database's own refusal. */
export async function openConnection(settings: ConnectionSettings): Promise<Connection> {
  const socket = new Socket()
  const client = new Client({
    ...settings.client,
    connectionTimeoutMillis: connectWithinMs,
    stream: () => socket,
    types: { getTypeParser: parserOf },
  })
  // Without a listener an error of an idle connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    socket.destroy()
    throw known(error, 'CONNECT_FAILED')
  }
  return establishedConnection(client, socket, settings)
}

function establishedConnection(client: Client, socket: Socket, settings: ConnectionSettings): Connection {
  const turns = oneAtATime()
  let isLost = false
  const watched = settings.watch({
    isOwed: () => turns.isTaken(),
    bytesRead: () => socket.bytesRead,
    end: (reason) => socket.destroy(reason),
  })

  function lose() {
    if (isLost) return
    isLost = true
    watched.letGo()
    settings.onLost(connection)
    const timer = setTimeout(() => socket.destroy(), goodbyeWithinMs)
    client.end(() => clearTimeout(timer))
  }

  const connection: Connection = {
    get isLost() {
      return isLost
    },
    openedAtMs: performance.now(),
    async execute(composed) {
      if (turns.isTaken()) await turns.next()
      turns.take()
      try {
        if (isLost)
          throw new ConnectionError('CONNECTION_CLOSED', 'The connection to the database is closed.')
        return await send(client, composed, settings.nameOf)
      } catch (error) {
        if (isFatal(error)) lose()
        throw known(error, 'CONNECTION_CLOSED')
      } finally {
        turns.give()
      }
    },
    async close() {
      lose()
      // Not `once` of node:events, which rejects at an error.
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
  client.on('error', lose).on('end', lose)
  return connection
}

/** Turns in the order in which they were asked for. The driver would queue as well, and warns that it soon will not. */
function oneAtATime() {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    isTaken: () => isTaken,
    take() {
      isTaken = true
    },
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    give() {
      const first = waiting.shift()
      if (first === undefined) isTaken = false
      else first()
    },
  }
}

type Answer = Rows<unknown> & { readonly command: string }

function send(client: Client, composed: Composed, nameOf: ConnectionSettings['nameOf']): Promise<Answer> {
  const { text, values } = composed
  const name = composed.isPrepared ? nameOf(text) : undefined
  const query = name === undefined ? { text, values } : { text, values, name }
  return new Promise((resolve, reject) => {
    // With a callback the driver makes no promise of its own.
    void client.query(query, (error: Error | null, result: QueryResult | QueryResult[]) => {
      if (error) reject(error)
      else resolve(rowsOf(result))
    })
  })
}

/** Several statements at once answer several results, of which the last one counts. */
function rowsOf(result: QueryResult | QueryResult[]): Answer {
  const last = Array.isArray(result) ? result.at(-1) : result
  const rows: unknown[] = last?.rows ?? []
  Object.defineProperty(rows, 'count', { value: last?.rowCount ?? 0 })
  return Object.defineProperty(rows, 'command', { value: last?.command ?? '' }) as never
}

/** The connection ends with such an error; so does one whose plan a migration made stale (`RevalidateCachedQuery`). */
function isFatal(error: unknown): boolean {
  const { severity, routine } = error as { severity?: unknown; routine?: unknown }
  return severity === 'FATAL' || severity === 'PANIC' || routine === 'RevalidateCachedQuery'
}

/** What the driver and the socket report, with a code. */
function known(error: unknown, code: string): unknown {
  if (error instanceof Error && 'code' in error && error.code !== undefined) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ConnectionError(code, message, { cause: error })
}
