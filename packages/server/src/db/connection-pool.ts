import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, ConnectionError } from './connection.ts'

/** Connections that are opened when needed, lent to one user at a time, and opened again after a loss. */
export type ConnectionPool = {
  /** An open connection; rejects when none can be opened. Give it back by `put`. */
  take(): Promise<Connection>
  put(connection: Connection): void
  /** Forgets a connection that has ended. With one that was lost all go that nobody uses: they lead to the same server. */
  forget(connection: Connection, how: 'lost' | 'closed'): void
  /** Closes all once those in use are back, or after `timeoutMs`. What waits for one until then still gets it. */
  end(timeoutMs: number): Promise<void>
}

/** `turn` counts them. */
type Waiting = { turn: number; resolve(connection: Connection): void; reject(reason: unknown): void }

type State = {
  readonly open: () => Promise<Connection>
  readonly connectionsMax: number
  readonly all: Set<Connection>
  readonly idle: Connection[]
  readonly waiting: Waiting[]
  lastTurn: number
  opening: number
  isEnded: boolean
  /** Called when nobody waits and nothing is in use. */
  onQuiet(): void
}

// Addresses change behind a name, and memory that a server process has once taken it keeps.
const lifetimeMs = 30 * 60_000

/** Makes a pool of at most `connectionsMax` connections. */
export function connectionPool(options: {
  open: () => Promise<Connection>
  connectionsMax: number
}): ConnectionPool {
  const state: State = {
    ...options,
    all: new Set(),
    idle: [],
    waiting: [],
    lastTurn: 0,
    opening: 0,
    isEnded: false,
    onQuiet() {},
  }
  return {
    take: () => take(state),
    put: (connection) => put(state, connection),
    forget: (connection, how) => forget(state, connection, how),
    end: (timeoutMs) => end(state, timeoutMs),
  }
}

async function take(state: State): Promise<Connection> {
  if (state.isEnded) throw ended()
  // The one that was used last: what it holds is warm, and the others can end.
  const connection = state.idle.pop()
  if (connection !== undefined) return connection
  return new Promise((resolve, reject) => {
    state.lastTurn += 1
    state.waiting.push({ turn: state.lastTurn, resolve, reject })
    openMore(state)
  })
}

function put(state: State, connection: Connection): void {
  if (connection.isLost) return
  if (performance.now() - connection.openedAtMs > lifetimeMs) void connection.close()
  else lend(state, connection)
  tellQuiet(state)
}

function forget(state: State, connection: Connection, how: 'lost' | 'closed'): void {
  const { all, idle } = state
  all.delete(connection)
  const at = idle.indexOf(connection)
  if (at !== -1) idle.splice(at, 1)
  if (how === 'lost') for (const other of idle.splice(0)) void other.close()
  openMore(state)
}

function lend({ waiting, idle }: State, connection: Connection): void {
  const first = waiting.shift()
  if (first === undefined) idle.push(connection)
  else first.resolve(connection)
}

function openMore(state: State): void {
  const { open, connectionsMax, all, waiting } = state
  while (state.opening < waiting.length && all.size + state.opening < connectionsMax) {
    state.opening += 1
    const turn = state.lastTurn
    open().then(
      (connection) => onOpened(state, connection),
      (reason: unknown) => onRefused(state, reason, turn),
    )
  }
  tellQuiet(state)
}

function onOpened(state: State, connection: Connection): void {
  state.opening -= 1
  if (!connection.isLost) {
    state.all.add(connection)
    lend(state, connection)
  }
  openMore(state)
}

/** `turn`: who waited when the opening began. */
function onRefused(state: State, reason: unknown, turn: number): void {
  const { all, waiting } = state
  state.opening -= 1
  if (all.size > 0) {
    // Whoever waits gets one of those that are open.
    tellQuiet(state)
    return
  }
  // All who waited when it began have their answer; who came later tries anew.
  while ((waiting[0]?.turn ?? turn + 1) <= turn) waiting.shift()?.reject(reason)
  openMore(state)
}

function tellQuiet({ waiting, opening, idle, all, onQuiet }: State): void {
  if (waiting.length === 0 && opening === 0 && idle.length === all.size) onQuiet()
}

async function end(state: State, timeoutMs: number): Promise<void> {
  state.isEnded = true
  const quiet = new Promise<void>((resolve) => {
    state.onQuiet = resolve
    tellQuiet(state)
  })
  const late = sleep(Math.min(timeoutMs, 2 ** 31 - 1), undefined, { ref: false })
  await Promise.race([quiet, late])
  for (const { reject } of state.waiting.splice(0)) reject(ended())
  await Promise.all([...state.all].map((connection) => connection.close()))
}

const ended = () => new ConnectionError('CONNECTION_ENDED', 'The connections to the database are ended.')
