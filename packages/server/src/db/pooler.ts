import { chooseHost } from './choose-host.ts'
import { type Connection, connector } from './connection.ts'
import { readDatabaseUrl } from './database-url.ts'
import { silenceWatch } from './silence-watch.ts'

/** `DATABASE_URL` leads through a pooler that we cannot work behind; the message is for the operator. */
export class PoolerError extends Error {}

const name = 'symbolon_probe'
// A pooler that keeps no track mixes them up at the first or second already; others may be busy with it.
const order = [0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0]
/** SQLSTATE: no such statement, one of that name already, and a protocol that is out of step. */
const mixedUp = new Set(['26000', '42P05', '08P01'])

/**
 * Throws a `PoolerError` where connections lead through a pooler in transaction mode that does not keep the prepared statements of
 * its clients apart (pgbouncer before 1.21), or one whose commits are not durable. Two clients prepare different statements under one name
 * and run them in turn: each must get its own answer. Throws the connection's error where the database is out of reach.
 */
export async function refusePooler(databaseUrl: string): Promise<void> {
  const address = readDatabaseUrl(databaseUrl)
  const open = chooseHost(
    address.hosts,
    address.sessions,
    connector({ address, session: {}, watch: silenceWatch(6_000), nameOf: () => name, onEnd: () => {} }),
  )
  const clients: Connection[] = []
  try {
    clients.push(await open())
    if (clients[0]?.isPooled !== true) return
    clients.push(await open())
    for (const i of order) {
      const client = clients[i]
      if (client !== undefined && !(await hasItsOwnAnswer(client, i))) throw new PoolerError(unfit)
    }
    if (clients[0] !== undefined) await refuseLossyCommits(clients[0])
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

const unfit =
  'DATABASE_URL leads through a pooler in transaction mode that does not keep prepared statements apart. ' +
  'Use pgbouncer 1.21 or newer with max_prepared_statements above 0, a pooler in session mode, or the database itself.'

async function hasItsOwnAnswer(client: Connection, i: number): Promise<boolean> {
  try {
    const rows = await client.execute({ text: `select ${i} as i`, values: [], isPrepared: true })
    return (rows as unknown as { i: number }[])[0]?.i === i
  } catch (error) {
    if (mixedUp.has(String((error as { code?: unknown }).code))) return false
    throw error
  }
}

async function refuseLossyCommits(client: Connection): Promise<void> {
  const text = `select current_setting('synchronous_commit') as commits`
  const rows = await client.execute({ text, values: [], isPrepared: false })
  const commits = (rows as unknown as { commits: string }[])[0]?.commits ?? ''
  if (commits === 'on' || commits === 'remote_apply') return
  throw new PoolerError(
    `DATABASE_URL leads through a pooler to sessions with synchronous_commit = ${commits}: set it to on for the role.`,
  )
}
