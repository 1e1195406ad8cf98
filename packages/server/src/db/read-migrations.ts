import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'

const folder = new URL('./migrations/', import.meta.url)

/**
 * When a migration may run while two builds serve: `expand` adds what the older build ignores, `migrate` moves data,
 * `contract` removes what only builds below `oldestBuild` still use.
 */
export type Phase = 'expand' | 'migrate' | 'contract'

/** A change of the tables. One that is not transactional runs statement by statement and has to be repeatable. */
export type Migration = {
  version: number
  name: string
  phase: Phase
  transactional: boolean
  /** The lowest build that works once it is applied; `contract` only. */
  oldestBuild?: number
  text: string
  checksum: string
}

/**
 * The migrations of this build in order. Each is `NNNN_name.sql`, or a folder `NNNN_name` whose files count as one text,
 * and begins with `-- phase: expand`, `-- phase: migrate` or `-- phase: contract, oldest build N`, followed by
 * `, not transactional` where PostgreSQL demands it. Throws for any other form and for a gap in the numbers.
 */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .sort()
    .map((entry, i) => {
      const [, digits, name] = /^(\d{4})_(\w+?)(?:\.sql)?$/.exec(entry) ?? []
      if (name === undefined || Number(digits) !== i + 1)
        throw new Error(
          `Migration ${entry}: expected a file or folder named ${`${i + 1}`.padStart(4, '0')}_<name>.`,
        )
      return migrationOf(i + 1, name, textOf(entry))
    })
}

/** A migration from its text. Throws where the first line is not a header. */
export function migrationOf(version: number, name: string, text: string): Migration {
  const [, phase, oldest, outside] =
    /^-- phase: (expand|migrate|contract)(?:, oldest build (\d+))?(, not transactional)?\n/.exec(text) ?? []
  if (phase === undefined || (phase === 'contract') !== (oldest !== undefined))
    throw new Error(
      `Migration ${version} (${name}): the first line must name its phase, as in "-- phase: expand".`,
    )
  return {
    version,
    name,
    phase: phase as Phase,
    transactional: outside === undefined,
    ...(oldest !== undefined && { oldestBuild: Number(oldest) }),
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
  }
}

function textOf(entry: string): string {
  const place = new URL(entry, folder)
  if (!statSync(place).isDirectory()) return readFileSync(place, 'utf8')
  const files = readdirSync(place).sort()
  return files.map((file) => readFileSync(new URL(`${entry}/${file}`, folder), 'utf8')).join('\n')
}
