import path from 'node:path'
import { startPostgres } from '../postgres/start-postgres.ts'
import { logOf, type Startup } from './startup.ts'

/** Starts the embedded PostgreSQL, or reaches the configured one. Answers its address. */
export async function startDatabase(startup: Startup): Promise<string> {
  const { config, stops, report } = startup
  if (config.databaseUrl !== undefined) {
    const { reachableDatabase } = await import('./reachable-database.ts')
    return reachableDatabase(config.databaseUrl)
  }
  const log = logOf(startup, 'postgres')
  const server = await startPostgres({
    folder: path.join(config.dataFolder, 'postgres'),
    log: (line) => {
      log.write(line)
      report(`database: ${line}`)
    },
  })
  startup.processes.push({ role: 'database', pid: server.pid })
  stops.push(() => server.stop())
  return server.url
}

/** Catches the emails that are sent to a loopback port, unless there is a mail server. */
export async function catchMails(startup: Startup, databaseUrl: string, port: number): Promise<void> {
  if (startup.config.smtpUrl !== undefined) return
  const [{ mailCatcher }, { openPool }] = await Promise.all([
    import('../mail/mail-catcher.ts'),
    import('@symbolon/server/pool'),
  ])
  const sql = openPool(databaseUrl, { connectionsMax: 2 })
  const catcher = await mailCatcher(sql, port)
  startup.stops.push(async () => {
    await catcher.close()
    await sql.end({ timeout: 2 })
  })
}
