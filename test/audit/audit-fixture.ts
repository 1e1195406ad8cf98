import { createSecretKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type AuditEventType, auditEventTypes, type SigningJwk } from '@symbolon/api'
import { openPool, type Sql } from '@symbolon/server/pool'
import {
  auditStore,
  checkpoint,
  exportLog,
  leafHash,
  merkleTree,
  orThrow,
  proveConsistency,
  proveInclusion,
  rootOfRow,
  signHead,
  type WireCheckpoint,
} from '@symbolon/server/testing/audit'
import { platformKey } from '@symbolon/server/testing/organizations'
import { seedOrganization, testDatabase, testIds } from '@symbolon/testing/database'

/** The platform's name in the notes of these tests. */
export const host = 'wallet.example.test'

/** What an export's last line and the checkpoint route have. */
export type Checkpoint = WireCheckpoint

/** A key that signs notes. */
export type Signer = { jwk: SigningJwk; sign(message: Uint8Array): Uint8Array }

/** Audit logs in a real database, read through the server's own exports, heads and proofs. */
export async function startAuditFixture() {
  const database = await testDatabase()
  const sql = openPool(database.url, { connectionsMax: 3 })
  const key: Signer = platformKey(createSecretKey(randomBytes(32)))
  const ctx = { sql, clock: { nowMs: () => Date.now() }, host, key }
  return {
    sql,
    key,
    keys: { keys: [key.jwk] },
    /** An organization with so many events; its id. */
    async log(count: number): Promise<string> {
      const { id } = await seedOrganization(sql)
      await writeEvents(sql, id, count)
      return id
    },
    write: (organizationId: string, count: number) => writeEvents(sql, organizationId, count),
    /** The export as it is downloaded. */
    async download(organizationId: string, size?: number, withCheckpoint = true): Promise<string> {
      let text = ''
      const chunks = orThrow(await exportLog(ctx, organizationId, { size, withCheckpoint }))
      for await (const chunk of chunks) text += chunk
      return text
    },
    checkpoint: async (organizationId: string) => orThrow(await checkpoint(ctx, organizationId)),
    inclusion: async (organizationId: string, eventId: string, size?: number) =>
      orThrow(await proveInclusion(ctx, organizationId, { eventId, size })),
    consistency: async (organizationId: string, from: number, to?: number) =>
      orThrow(await proveConsistency(ctx, organizationId, { from, to })),
    async stop() {
      await sql.end({ timeout: 1 })
      await database.drop()
    },
  }
}

/** Audit logs in a real database. */
export type AuditFixture = Awaited<ReturnType<typeof startAuditFixture>>

let written = 0

async function writeEvents(sql: Sql, organizationId: string, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const batch = Math.min(1 + (written % 97), count - done)
    const entries = Array.from({ length: batch }, () => {
      written += 1
      const type: AuditEventType = auditEventTypes[written % auditEventTypes.length] ?? 'wallet.signed'
      return {
        id: testIds.next(),
        event: {
          organizationId,
          type,
          actorType: 'api_key' as const,
          actorId: `key ${written % 7}`,
          payload: payloads[written % payloads.length] ?? {},
          success: written % 5 !== 0,
          ...(written % 3 === 0 && { walletId: testIds.next(), userIdentityId: testIds.next() }),
          ...(written % 5 === 0 && { errorCode: 'wallet_archived' }),
        },
      }
    })
    await auditStore.commit(sql, entries)
    done += batch
  }
}

const payloads: Record<string, unknown>[] = [
  {},
  { chain: 'base', kind: 'transaction', digest: 'ab'.repeat(32) },
  { before: { name: 'Ü€😀 "quoted" \\ \n\t\u0001' }, after: { name: null } },
  { z: 1e21, a: [0.1, -5, 1.5e-9, true, []], ä: {}, A: '\u2028', '😀': '\uffff' },
]

/** A head signed by whoever has the key, over whatever lines: what only a forger, or a platform that lies, would make. */
export async function forgedCheckpoint(
  lines: readonly string[],
  { organizationId, at, signer }: { organizationId: string; at: string; signer: Signer },
): Promise<Checkpoint> {
  const hashes = lines.map(leafHash)
  const tree = merkleTree(async (height, position) =>
    rootOfRow(hashes.slice(position * 2 ** height, (position + 1) * 2 ** height)),
  )
  const root = await tree.root(lines.length)
  const head = { size: lines.length, root, at: new Date(at) }
  const { note, signature } = signHead(head, { host, organizationId, ...signer })
  return {
    tree_size: lines.length,
    root_hash: Buffer.from(root).toString('base64'),
    timestamp: at,
    signature: Buffer.from(signature).toString('base64'),
    note,
  }
}

/** A key that is not the platform's. */
export function strangerKey(kid = 'stranger'): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' },
    sign: (message) => sign(null, message, privateKey),
  }
}

/** Text as a download comes: in chunks that end anywhere. */
export async function* chunked(text: string, bytes = 4_096): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text, 'utf8')
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes)
}

/** The event lines of an export, and its checkpoint. */
export function partsOf(text: string): { lines: string[]; checkpoint: Checkpoint } {
  const lines = text.split('\n').slice(0, -1)
  const { checkpoint } = JSON.parse(lines.pop() ?? '')
  return { lines, checkpoint }
}
