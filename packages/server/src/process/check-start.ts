import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { isDatabaseUnavailable } from '../db/is-database-unavailable.ts'
import { refusePooler } from '../db/pooler.ts'
import { runMigration } from '../db/run-migration.ts'
import { SchemaError } from '../db/schema-error.ts'
import { makeFirstKeys } from './make-first-keys.ts'
import { serveMetrics } from './metrics-server.ts'

/** With the last attempt, which takes 3 s for each host, the start ends within 30 s. */
const databaseWithinMs = 15_000
const pauseMs = 250

/**
 * Looks at what a service needs to start, before any of its processes does: its ports, its database, the schema, its key files, in this order.
 * Throws at the first that does not fit; a database out of reach is waited for, 15 s.
 */
export async function checkStart(
  config: Pick<Config, 'host' | 'port' | 'metrics' | 'databaseUrl' | 'kms' | 'secretsFile'>,
  { withinMs = databaseWithinMs }: { withinMs?: number } = {},
): Promise<void> {
  await refuseTakenPort(config)
  const metrics = await serveMetrics(config.metrics, async () => [])
  metrics.close()
  await awaitDatabase(config.databaseUrl, withinMs)
  await refuseUnfitSchema(config.databaseUrl)
  await makeFirstKeys(config)
}

async function refuseTakenPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** A database that says no, by its password or as a pooler, is not asked again. */
async function awaitDatabase(databaseUrl: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await refusePooler(databaseUrl)
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() + pauseMs > deadline) throw error
      await sleep(pauseMs)
    }
  }
}

/** A service never migrates. It also works on a schema ahead of its own, as long as that admits its build. */
async function refuseUnfitSchema(databaseUrl: string): Promise<void> {
  const { from, to, pending, functions } = await runMigration(databaseUrl, { isDryRun: true })
  if (pending.length > 0)
    throw new SchemaError(
      'older',
      `The database is at schema ${from}, and this build needs ${to}: run symbolon migrate.`,
    )
  if (functions.length > 0)
    throw new SchemaError(
      'older',
      "The database's functions are not those of this build: run symbolon migrate.",
    )
}
