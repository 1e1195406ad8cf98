import { setTimeout as sleep } from 'node:timers/promises'
import { isClientGroup } from '../runtime/client-block.ts'
import { type FairLine, fairLine } from '../runtime/fair-line.ts'
import { type LastGroups, lastGroups } from '../runtime/last-groups.ts'
import { type Connection, ConnectionError } from './connection.ts'

/** Connections that are opened when needed, lent to one user at a time, and opened again after a loss. */
export type ConnectionPool = {
  /** An open connection, once it is the group's turn; rejects when none can be opened. Give it back by `put`. */
  take(group: string): Promise<Connection>
  put(connection: Connection): void
  /** Forgets a connection that has ended. With one that was lost all go that nobody uses: they lead to the same server. */
  forget(connection: Connection, how: 'lost' | 'closed'): void
  /** Closes all once those in use are back, or after `timeoutMs`. What waits for one until then still gets it. */
  end(timeoutMs: number): Promise<void>
}

/** Whose group it is that asks for what no single one does: batches of everybody's look-ups, and jobs. */
export const nobody = ''

/** `turn` counts them. */
type Waiting = { turn: number; resolve(connection: Connection): void; reject(reason: unknown): void }

/** To whom a connection is lent; `sinceMs` for those who had to wait for it. */
type Loan = { group: string; sinceMs?: number }

type State = {
  readonly open: () => Promise<Connection>
  readonly connectionsMax: number
  readonly all: Set<Connection>
  readonly idle: Connection[]
  readonly waiting: FairLine<Waiting>
  readonly loans: Map<Connection, Loan>
  /** How many connections each group has. */
  readonly held: Map<string, number>
  /** Who came last, and who of them was no client address. */
  readonly last: LastGroups
  readonly lastKnown: LastGroups
  lastTurn: number
  opening: number
  isEnded: boolean
  /** Called when nobody waits and nothing is in use. */
  onQuiet(): void
}

// Addresses change behind a name, and memory that a server process has once taken it keeps.
const lifetimeMs = 30 * 60_000

/**
 * Makes a pool of at most `connectionsMax` connections. Groups that wait share the time of connections equally, however much each of
 * them asks for. Beside others, a group has a third of the connections at once (two at least): the next one of another group finds one free.
 * A client address takes nothing from an organization in this way: its own requests' look-ups would.
 */
export function connectionPool(options: {
  open: () => Promise<Connection>
  connectionsMax: number
}): ConnectionPool {
  const state: State = {
    ...options,
    all: new Set(),
    idle: [],
    waiting: fairLine(),
    loans: new Map(),
    held: new Map(),
    last: lastGroups(() => performance.now()),
    lastKnown: lastGroups(() => performance.now()),
    lastTurn: 0,
    opening: 0,
    isEnded: false,
    onQuiet() {},
  }
  return {
    take: (group) => take(state, group),
    put: (connection) => put(state, connection),
    forget: (connection, how) => forget(state, connection, how),
    end: (timeoutMs) => end(state, timeoutMs),
  }
}

async function take(state: State, group: string): Promise<Connection> {
  if (state.isEnded) throw ended()
  if (group !== nobody) state.last.saw(group)
  if (group !== nobody && !isClientGroup(group)) state.lastKnown.saw(group)
  // The one that was used last: what it holds is warm, and the others can end.
  const connection = mayHaveOne(state, group) ? state.idle.pop() : undefined
  if (connection !== undefined) return lend(state, connection, { group })
  return new Promise((resolve, reject) => {
    state.lastTurn += 1
    state.waiting.push(group, { turn: state.lastTurn, resolve, reject })
    openMore(state)
  })
}

function put(state: State, connection: Connection): void {
  takeBack(state, connection)
  if (!connection.isLost) {
    if (performance.now() - connection.openedAtMs > lifetimeMs) void connection.close()
    else state.idle.push(connection)
  }
  serve(state)
  tellQuiet(state)
}

function lend({ loans, held }: State, connection: Connection, loan: Loan): Connection {
  loans.set(connection, loan)
  held.set(loan.group, (held.get(loan.group) ?? 0) + 1)
  return connection
}

function takeBack({ loans, held, waiting }: State, connection: Connection): void {
  const loan = loans.get(connection)
  if (loan === undefined) return
  const { group, sinceMs } = loan
  loans.delete(connection)
  const left = (held.get(group) ?? 1) - 1
  if (left === 0) held.delete(group)
  else held.set(group, left)
  // Who never had to wait took nothing from anybody.
  if (sinceMs !== undefined) waiting.charge(group, performance.now() - sinceMs)
}

/** Lends what is idle to those who wait, by turns of their groups. */
function serve(state: State): void {
  const { waiting, idle } = state
  while (idle.length > 0) {
    const next = waiting.shift((group) => mayHaveOne(state, group))
    if (next === undefined) return
    const connection = idle.pop() as Connection
    next.item.resolve(lend(state, connection, { group: next.group, sinceMs: performance.now() }))
  }
}

/** An organization is beside organizations and portal users; client addresses, which ask for little (logins, look-ups), are beside everybody. */
function mayHaveOne({ held, last, lastKnown, connectionsMax }: State, group: string): boolean {
  if (group === nobody || (isClientGroup(group) ? last : lastKnown).isAlone(group)) return true
  return (held.get(group) ?? 0) < Math.max(2, Math.floor(connectionsMax / 3))
}

function forget(state: State, connection: Connection, how: 'lost' | 'closed'): void {
  const { all, idle } = state
  all.delete(connection)
  const at = idle.indexOf(connection)
  if (at !== -1) idle.splice(at, 1)
  if (how === 'lost') for (const other of idle.splice(0)) void other.close()
  openMore(state)
}

function openMore(state: State): void {
  const { open, connectionsMax, all, waiting } = state
  while (state.opening < waiting.size && all.size + state.opening < connectionsMax) {
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
    state.idle.push(connection)
    serve(state)
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
  const later: { group: string; item: Waiting }[] = []
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    if (next.item.turn <= turn) next.item.reject(reason)
    else later.push(next)
  for (const { group, item } of later) waiting.push(group, item)
  openMore(state)
}

function tellQuiet({ waiting, opening, idle, all, onQuiet }: State): void {
  if (waiting.size === 0 && opening === 0 && idle.length === all.size) onQuiet()
}

async function end(state: State, timeoutMs: number): Promise<void> {
  state.isEnded = true
  const quiet = new Promise<void>((resolve) => {
    state.onQuiet = resolve
    tellQuiet(state)
  })
  const late = sleep(Math.min(timeoutMs, 2 ** 31 - 1), undefined, { ref: false })
  await Promise.race([quiet, late])
  for (let next = state.waiting.shift(); next !== undefined; next = state.waiting.shift())
    next.item.reject(ended())
  await Promise.all([...state.all].map((connection) => connection.close()))
}

const ended = () => new ConnectionError('CONNECTION_ENDED', 'The connections to the database are ended.')
