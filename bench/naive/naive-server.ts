/**
 * The same signature with the same guarantees, as one would write it on the first day: a query per step, WebCrypto and
 * noble, an insert per request, nothing coalesced, nothing remembered. The yardstick below ours.
 */
import cluster from 'node:cluster'
import { webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { openPool, type Sql } from '@symbolon/server/pool'
import { combine } from 'shamir-secret-sharing'

const [databaseUrl = '', port = '0', workers = '2'] = process.argv.slice(2)

if (cluster.isPrimary) {
  for (let i = 0; i < Number(workers); i++) cluster.fork()
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill()
    process.exit(0)
  })
} else {
  const sql = openPool(databaseUrl, { connectionsMax: 8, isPatient: true })
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await sign(
      sql,
      request.headers.authorization ?? '',
      JSON.parse(Buffer.concat(chunks).toString()),
    ).catch((error: Error) => ({ status: 500, body: { error: error.message } }))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  }).listen(Number(port), '127.0.0.1')
}

type Row = Record<string, unknown>

async function sign(sql: Sql, authorization: string, body: { wallet_id: string; message: string }) {
  const hash = new Uint8Array(
    await webcrypto.subtle.digest('SHA-256', Buffer.from(authorization.replace('Bearer ', ''))),
  )
  const [key] = await sql<Row[]>`select * from naive_keys where hash = ${hash}`
  if (key === undefined) return { status: 401, body: { error: 'unauthorized' } }

  const [permit] = await sql<Row[]>`
    update naive_keys set tokens = least(60, tokens + extract(epoch from clock_timestamp() - at) * 30) - 1, at = clock_timestamp()
    where id = ${String(key['id'])} and least(60, tokens + extract(epoch from clock_timestamp() - at) * 30) >= 1 returning id`
  if (permit === undefined) return { status: 429, body: { error: 'rate_limited' } }

  const [wallet] = await sql<Row[]>`select * from naive_wallets where id = ${body.wallet_id}`
  if (wallet === undefined) return { status: 404, body: { error: 'not_found' } }
  const shares = await Promise.all([open(wallet['share_a'] as Buffer), open(wallet['share_b'] as Buffer)])
  const secret = await combine(shares)
  const publicKey = bytesToHex(secp256k1.getPublicKey(secret))
  if (publicKey !== wallet['public_key']) return { status: 500, body: { error: 'key mismatch' } }

  const message = hexToBytes(body.message.slice(2))
  const digest = keccak_256(
    concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message),
  )
  const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  secret.fill(0)
  if (!secp256k1.verify(signature.slice(1), digest, hexToBytes(publicKey), { prehash: false })) {
    return { status: 500, body: { error: 'bad signature' } }
  }
  await sql`insert into naive_events (id, wallet_id, key_id, payload)
    values (${webcrypto.randomUUID()}, ${body.wallet_id}, ${String(key['id'])}, ${sql.json({ type: 'message' })})`
  return {
    status: 200,
    body: { data: { signature: `0x${bytesToHex(signature.slice(1))}${signature[0] === 0 ? '1b' : '1c'}` } },
  }
}

async function open(sealed: Buffer): Promise<Uint8Array> {
  const key = await webcrypto.subtle.importKey('raw', new Uint8Array(32).fill(7), 'AES-GCM', false, [
    'decrypt',
  ])
  const iv = Uint8Array.from(sealed.subarray(0, 12))
  return new Uint8Array(
    await webcrypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, Uint8Array.from(sealed.subarray(12))),
  )
}
