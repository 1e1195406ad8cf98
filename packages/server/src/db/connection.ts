import { Socket } from 'node:net'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { DatabaseAddress, Host } from './database-url.ts'
import type { SilenceWatch } from './silence-watch.ts'
import type { Composed, Rows } from './statement.ts'
import { tlsOptions } from './tls-options.ts'
import { parserOf } from './values.ts'

/** One open connection to the database; statements run one after the other. */
export type Connection = {
  /** Whether it is unfit for further statements: lost, closed, or left in the middle of something. */
  readonly isLost: boolean
  /** The clock's reading when it was opened, in ms; see `performance.now()`. */
  readonly openedAtMs: number
  /** What the server was when it was opened. */
  readonly server: ServerState
  /** Whether something between lends the server's connections to several clients. */
  readonly isPooled: boolean
  execute(composed: Composed): Promise<Rows<unknown> & { readonly command: string }>
  /** Runs `use` on the driver's client while nobody else uses the connection. */
  alone<result>(use: (client: Client) => Promise<result>): Promise<result>
  /** Says goodbye; what still runs fails. Resolves when the socket is closed. */
  close(): Promise<void>
}

/** What a server says of a session on it. */
export type ServerState = { isStandby: boolean; isReadOnly: boolean }

/** What a connection is opened with. */
export type ConnectionSettings = {
  address: DatabaseAddress
  /** The session's settings; a pooler may refuse them. */
  session: Pick<
    ClientConfig,
    'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'options'
  >
  watch: SilenceWatch
  /** The name under which a text is prepared; undefined: it is sent anew each time. */
  nameOf(text: string): string | undefined
  /** Called once, when the connection is lost, or closed by us. */
  onEnd(connection: Connection, how: 'lost' | 'closed'): void
}

// With the silence before it, a request that needs a second connection still has its answer within ten seconds.
const connectWithinMs = 3_000
const goodbyeWithinMs = 1_000

/** An error of the connection and not of a statement. `code` is one that `isDatabaseUnavailable` knows. */
export class ConnectionError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Makes a way to open connections, which rejects with a `ConnectionError` or with the database's own refusal. */
export function connector(settings: ConnectionSettings): (host: Host) => Promise<Connection> {
  let { session } = settings
  return async (host) => {
    const wanted = session
    try {
      return await openConnection({ ...settings, session: wanted }, host)
    } catch (error) {
      if (!isStartupRefused(error) || Object.keys(wanted).length === 0) throw error
      session = {}
      return openConnection({ ...settings, session }, host)
    }
  }
}

async function openConnection(settings: ConnectionSettings, host: Host): Promise<Connection> {
  const socket = new Socket()
  const client = new Client(clientConfig(settings, host, socket))
  // Without a listener an error of an idle connection would end the process.
  client.on('error', () => {})
  const late = new ConnectionError('CONNECT_FAILED', 'The database does not answer.')
  const timer = setTimeout(() => socket.destroy(late), connectWithinMs)
  try {
    await client.connect()
    return establishedConnection(client, await greeting(client), socket, settings)
  } catch (error) {
    socket.destroy()
    throw known(error, 'CONNECT_FAILED')
  } finally {
    clearTimeout(timer)
  }
}

function clientConfig({ address, session }: ConnectionSettings, host: Host, socket: Socket): ClientConfig {
  const { user, password, database, applicationName, tls } = address
  // As libpq has it: nothing listens between the two ends of a unix socket.
  const ssl = host.host.startsWith('/') ? undefined : tlsOptions(tls)
  return {
    ...host,
    user,
    password,
    database,
    application_name: applicationName,
    ssl: ssl ?? false,
    sslnegotiation: ssl !== undefined && tls.mode !== 'disable' ? tls.negotiation : 'postgres',
    enableChannelBinding: ssl !== undefined,
    ...session,
    stream: () => socket,
    types: { getTypeParser: parserOf },
  }
}

type Greeting = Pick<Connection, 'server' | 'isPooled'>

async function greeting(client: Client): Promise<Greeting> {
  const text = `select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`
  const [row] = (await client.query<ServerState & { pid: number }>(text)).rows
  if (row === undefined) throw new ConnectionError('CONNECT_FAILED', 'The database did not say what it is.')
  const { pid, ...server } = row
  // The types of the driver do not know it. A pooler reports a number of its own.
  const { processID } = client as Client & { processID?: number }
  return { server, isPooled: pid !== processID }
}

function establishedConnection(
  client: Client,
  greeting: Greeting,
  socket: Socket,
  settings: ConnectionSettings,
): Connection {
  const turns = oneAtATime()
  let isLost = false
  const watched = settings.watch({
    isOwed: () => turns.isTaken(),
    bytesRead: () => socket.bytesRead,
    end: (reason) => socket.destroy(reason),
  })

  function end(how: 'lost' | 'closed') {
    if (isLost) return
    isLost = true
    watched.letGo()
    settings.onEnd(connection, how)
    const timer = setTimeout(() => socket.destroy(), goodbyeWithinMs)
    client.end(() => clearTimeout(timer))
  }

  const connection: Connection = {
    ...greeting,
    get isLost() {
      return isLost
    },
    openedAtMs: performance.now(),
    execute: (composed) => connection.alone(() => send(client, composed, settings.nameOf)),
    async alone(use) {
      if (turns.isTaken()) await turns.next()
      turns.take()
      try {
        if (isLost)
          throw new ConnectionError('CONNECTION_CLOSED', 'The connection to the database is closed.')
        return await use(client)
      } catch (error) {
        if (isFatal(error)) end('lost')
        throw known(error, 'CONNECTION_CLOSED')
      } finally {
        turns.give()
      }
    },
    async close() {
      end('closed')
      // Not `once` of node:events, which rejects at an error.
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
  client.on('error', () => end('lost')).on('end', () => end('lost'))
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

/**
 * The connection ends with such an error. So does one whose plan a migration made stale (`RevalidateCachedQuery`), and one that leads to
 * a server which has become a standby (25006): the next one looks for its successor.
 */
function isFatal(error: unknown): boolean {
  const { severity, routine, code } = error as { severity?: unknown; routine?: unknown; code?: unknown }
  return (
    severity === 'FATAL' || severity === 'PANIC' || routine === 'RevalidateCachedQuery' || code === '25006'
  )
}

/** Poolers know few of the settings that a client may begin with: pgbouncer answers 08P01, RDS Proxy 0A000. */
function isStartupRefused(error: unknown): boolean {
  const { severity, code } = error as { severity?: unknown; code?: unknown }
  return severity === 'FATAL' && (code === '08P01' || code === '0A000')
}

/** The database's refusals as they are; what the driver and the socket report becomes a `ConnectionError`. */
function known(error: unknown, code: string): unknown {
  if (error instanceof ConnectionError || (error instanceof Error && 'severity' in error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ConnectionError(code, message, { cause: error })
}
