import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { OperatorError } from '../operator-failure.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** One table of a backup: its rows in PostgreSQL's text format, in a file of its own. */
const part = z.strictObject({
  table: z.string().regex(/^[a-z_][a-z0-9_]*$/),
  columns: z.array(z.string().min(1)),
  file: z.string().regex(/^[a-z0-9_]+\.copy$/),
  bytes: z.int().nonnegative(),
  sha256,
})

const schema = z.strictObject({
  format: z.literal(1),
  /** By the clock that limits and expiries read. */
  taken_at: z.iso.datetime(),
  epoch: z.int().positive(),
  ring_id: z.string().nullable(),
  schema_version: z.int().positive(),
  /** The audit log of each organization: its size, and its Merkle root (RFC 6962) in base64. */
  checkpoints: z.array(
    z.strictObject({ organization_id: z.uuid(), tree_size: z.int().nonnegative(), root_hash: z.base64() }),
  ),
  parts: z.array(part).min(1),
})

/** What a backup holds. It has no key of the ring, which a backup must not be enough to open. */
export type BackupManifest = z.output<typeof schema>

/** One table of a backup. */
export type BackupPart = z.output<typeof part>

/** The manifest's file, written last. */
export const manifestFile = 'manifest.json'

/** Reads the manifest of a backup. Throws an `OperatorError` where the folder has none, or one that is malformed. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(path.join(folder, manifestFile), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new OperatorError(`${folder} has no ${manifestFile}: it is not a whole backup.`)
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new OperatorError(`${manifestFile} in ${folder} is not a manifest that this build can read.`)
  }
}
