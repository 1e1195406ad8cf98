import { type Config, ConfigError } from '../config.ts'
import { openPool, type Sql } from '../db/pool.ts'

/**
 * Records the origin of the wallet frame, which keeps the device shares of client-mode wallets. Throws a `ConfigError` where such wallets
 * exist and theirs is another one: their users' browsers would no longer find the shares. An installation from before frames had an origin
 * of their own had it at `BASE_URL`. Does nothing where the frame's address is not meant to last.
 */
export async function claimFrameOrigin(
  sql: Sql,
  { baseUrl, frame }: Pick<Config, 'baseUrl' | 'frame'>,
): Promise<void> {
  if (!frame.isLasting) return
  const [row] = await sql<{ origin: string }[]>`
    select claim_frame_origin(wanted => ${frame.origin}, former => ${baseUrl}) as origin`
  if (row !== undefined && row.origin !== frame.origin) throw keptAt(row.origin)
}

const keptAt = (origin: string) =>
  new ConfigError(
    `FRAME_BASE_URL must stay ${origin}: the device shares of existing client-mode wallets are kept there.`,
  )

/** The same before any process serves. */
export async function refuseOtherFrame(
  config: Pick<Config, 'databaseUrl' | 'baseUrl' | 'frame'>,
): Promise<void> {
  const sql = openPool(config.databaseUrl, { connectionsMax: 1 })
  try {
    await claimFrameOrigin(sql, config)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
