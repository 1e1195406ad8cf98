import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID, webcrypto } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { freePort } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'
import { split } from 'shamir-secret-sharing'

/** The naive server with its own tables beside ours in the same database. */
export type Naive = { port: number; pid: number; keys: string[]; walletIds: string[]; stop(): void }

/** Fills the tables and starts as many processes as ours. */
export async function startNaive(
  databaseUrl: string,
  options: { keys: number; wallets: number; workers: number },
): Promise<Naive> {
  const sql = openPool(databaseUrl, { connectionsMax: 4, isPatient: true })
  await sql`create table naive_keys (id uuid primary key, hash bytea unique, tokens double precision, at timestamptz)`
  await sql`create table naive_wallets (id uuid primary key, public_key text, share_a bytea, share_b bytea)`
  await sql`create table naive_events (id uuid primary key, wallet_id uuid, key_id uuid, payload jsonb, at timestamptz default now())`
  const keys = Array.from({ length: options.keys }, () => randomBytes(24).toString('base64url'))
  for (const key of keys) {
    await sql`insert into naive_keys values (${randomUUID()}, ${createHash('sha256').update(key).digest()}, 60, now())`
  }
  const walletIds: string[] = []
  for (let i = 0; i < options.wallets; i++) {
    const secret = secp256k1.utils.randomSecretKey()
    const [a, b] = await split(secret, 2, 2)
    const id = randomUUID()
    await sql`insert into naive_wallets values (${id}, ${bytesToHex(secp256k1.getPublicKey(secret))}, ${await seal(a)}, ${await seal(b)})`
    walletIds.push(id)
  }
  await sql.end()
  const port = await freePort()
  const entry = fileURLToPath(new URL('./naive-server.ts', import.meta.url))
  const child = spawn(process.execPath, [entry, databaseUrl, String(port), String(options.workers)], {
    stdio: 'inherit',
  })
  while (!(await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).catch(() => undefined)))
    await sleep(50)
  return { port, pid: child.pid ?? 0, keys, walletIds, stop: () => child.kill('SIGTERM') }
}

async function seal(share: Uint8Array | undefined): Promise<Uint8Array> {
  const key = await webcrypto.subtle.importKey('raw', new Uint8Array(32).fill(7), 'AES-GCM', false, [
    'encrypt',
  ])
  const iv = randomBytes(12)
  const sealed = await webcrypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, Uint8Array.from(share ?? []))
  return Buffer.concat([iv, Buffer.from(sealed)])
}
