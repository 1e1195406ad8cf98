import { on, once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Client } from 'pg'

/** A pooler in transaction mode on a port of its own. */
export type TestPooler = { port: number; close(): Promise<void> }

type Message = { type: string; bytes: Buffer }
/** A connection to the database; `prepared` are the pooler's own names of what it has. */
type Backend = { socket: Socket; prepared: Set<string>; onMessage(message: Message): void }
/** By a client's name: the pooler's name for the statement, and the message that prepares it. */
type Prepared = Map<string, { own: string; parse: Buffer }>
type Pool = { take(): Promise<Backend>; give(backend: Backend): void; isTracking: boolean }

/**
 * Starts a pooler as pgbouncer is in transaction mode: a connection of the database is lent for one transaction. `isTracking`: statements
 * that clients prepare are kept apart by names of the pooler's own, as pgbouncer does from 1.21 on; without it they are passed through.
 * Clients are trusted, and refused when they begin with settings of the session.
 */
export async function testPooler(
  databaseUrl: string,
  { isTracking }: { isTracking: boolean },
): Promise<TestPooler> {
  const backends = await Promise.all([1, 2, 3].map(() => openBackend(databaseUrl)))
  const idle = [...backends]
  const waiting: ((backend: Backend) => void)[] = []
  const clients = new Set<Socket>()
  const pool: Pool = {
    isTracking,
    // Last in, first out, as pgbouncer has it.
    take: async () => idle.pop() ?? new Promise((resolve) => waiting.push(resolve)),
    give(backend) {
      const first = waiting.shift()
      if (first === undefined) idle.push(backend)
      else first(backend)
    },
  }
  const server = createServer((socket) => {
    clients.add(socket)
    // A client may hang up before its answer.
    socket.on('error', () => {}).on('close', () => clients.delete(socket))
    serve(socket, pool).catch(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of [...clients, ...backends.map((backend) => backend.socket)]) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Logs in by the driver, and takes its socket over. */
async function openBackend(databaseUrl: string): Promise<Backend> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  socket.removeAllListeners('data')
  const backend: Backend = { socket, prepared: new Set(), onMessage() {} }
  const cut = messages()
  socket.on('data', (chunk: Buffer) => {
    for (const message of cut(chunk)) backend.onMessage(message)
  })
  return backend
}

/** Serves a client round by round: what it sends up to a sync or a query, then all answers. */
async function serve(socket: Socket, pool: Pool): Promise<void> {
  const prepared: Prepared = new Map()
  let held: Backend | undefined
  try {
    for await (const round of rounds(socket)) {
      held ??= await pool.take()
      const { sent, own } = pool.isTracking
        ? tracked(round, prepared, held.prepared)
        : { sent: round.map(({ bytes }) => bytes), own: [] }
      const state = await exchange(held, sent, ({ type, bytes }) => {
        // Nobody but the pooler asked for the answers to its own statements.
        if (type !== '1' || own.shift() !== true) socket.write(bytes)
      })
      if (state !== 'I') continue
      pool.give(held)
      held = undefined
    }
  } finally {
    held?.socket.destroy()
    socket.end()
  }
}

/** Resolves with the state of the transaction (`I` where there is none) once the database is ready for more. */
function exchange(backend: Backend, sent: Buffer[], onAnswer: (message: Message) => void): Promise<string> {
  return new Promise((resolve) => {
    backend.onMessage = (message) => {
      onAnswer(message)
      if (message.type === 'Z') resolve(String.fromCharCode(message.bytes[5] ?? 0))
    }
    backend.socket.write(Buffer.concat(sent))
  })
}

async function* rounds(socket: Socket): AsyncGenerator<Message[]> {
  const cut = messages()
  let isGreeted = false
  let round: Message[] = []
  for await (const [chunk] of on(socket, 'data', { close: ['end', 'close'] }) as AsyncIterable<[Buffer]>) {
    if (!isGreeted) {
      isGreeted = true
      if (!greet(socket, chunk)) return
      continue
    }
    for (const message of cut(chunk)) {
      if (message.type === 'X') return
      round.push(message)
      if (message.type !== 'S' && message.type !== 'Q') continue
      yield round
      round = []
    }
  }
}

const knownSettings = new Set(['user', 'database', 'application_name', 'client_encoding'])

/** Answers the first message of a client; whether it may go on. */
function greet(socket: Socket, startup: Buffer): boolean {
  const words = startup.subarray(8).toString().split('\0')
  const foreign = words.find((word, i) => i % 2 === 0 && word !== '' && !knownSettings.has(word))
  if (foreign !== undefined) {
    const fields = ['SFATAL', 'VFATAL', 'C08P01', `Munsupported startup parameter: ${foreign}`, '', '']
    socket.write(message('E', fields.join('\0')))
    return false
  }
  // No process of the database has this number.
  const number = Buffer.alloc(8, 0x7f)
  socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('K', number), message('Z', 'I')]))
  return true
}

/** A round under the pooler's names, each statement prepared first where this connection has not got it. */
function tracked(
  round: Message[],
  prepared: Prepared,
  there: Set<string>,
): { sent: Buffer[]; own: boolean[] } {
  const sent: Buffer[] = []
  const own: boolean[] = []
  for (const { type, bytes } of round) {
    const [first = '', second = ''] = bytes.subarray(5).toString('latin1').split('\0', 2)
    if (type === 'P' && first !== '') {
      const name = `POOLER_${Math.random()}`
      const parse = message('P', `${name}\0`, bytes.subarray(6 + first.length))
      prepared.set(first, { own: name, parse })
      there.add(name)
      sent.push(parse)
      own.push(false)
    } else if (type === 'B' && second !== '') {
      const statement = prepared.get(second)
      if (statement === undefined) throw new Error('The client has not prepared this statement.')
      if (!there.has(statement.own)) {
        there.add(statement.own)
        sent.push(statement.parse)
        own.push(true)
      }
      const rest = bytes.subarray(7 + first.length + second.length)
      sent.push(message('B', `${first}\0${statement.own}\0`, rest))
    } else {
      sent.push(bytes)
      if (type === 'P') own.push(false)
    }
  }
  return { sent, own }
}

/** Cuts a stream into messages: a letter, the length, the content. */
function messages(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    const whole: Message[] = []
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      whole.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, end) })
      rest = rest.subarray(end)
    }
    return whole
  }
}

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
