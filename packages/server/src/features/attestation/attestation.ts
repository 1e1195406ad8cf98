import type { Attestation, KeyAttestation } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { receiptKeysStore } from './receipt-keys.store.ts'

/** What public attestations are made with. */
export type AttestationCtx = { sql: Queryable; enclave: Pick<Enclave, 'attest' | 'status'> }

/** An attestation of the enclave for a caller's nonce (16 to 64 bytes), once its receipt key's own is kept. Throws `EnclaveError`. */
export async function attestPublicly(ctx: AttestationCtx, nonce: Uint8Array): Promise<Attestation> {
  const attestation = await attestWith(ctx, nonce)
  await keepReceiptKey(ctx, attestation)
  return attestation
}

/** The attestation that was made when a receipt key was made. */
export async function keyAttestation(
  { sql }: AttestationCtx,
  kid: string,
): Promise<KeyAttestation | Failure<'not_found'>> {
  const stored = await receiptKeysStore.find(sql, kid)
  const key = stored?.attestation.keys.find((one) => one.kid === kid)
  if (stored === undefined || key === undefined) return failure('not_found')
  return { ...key, ...stored.attestation, attested_at: stored.attestedAt.toISOString() }
}

async function attestWith({ enclave }: AttestationCtx, nonce: Uint8Array | null): Promise<Attestation> {
  const { state, document } = await enclave.attest(nonce)
  const { simulated } = await enclave.status()
  return {
    mode: simulated ? 'simulated' : 'nitro',
    document: Buffer.from(document).toString('base64'),
    ...(JSON.parse(state) as Pick<Attestation, 'ring_id' | 'image' | 'keys' | 'manifest'>),
  }
}

/** The receipt keys whose attestation is stored. */
export type ReceiptKeys = {
  /** Stores the attestation of a key, unless that was done. Throws `EnclaveError` where the enclave has another key by now. */
  keep(kid: string): Promise<void>
}

// A fleet has a key per enclave, and a restart another.
const keptMax = 64

/** Keeps the attestations of receipt keys, each once per process and however many ask. */
export function receiptKeys(ctx: AttestationCtx): ReceiptKeys {
  const kept = new Map<string, Promise<void>>()
  return {
    keep(kid) {
      const known = kept.get(kid)
      if (known !== undefined) return known
      const keeping = keepKey(ctx, kid)
      if (kept.size >= keptMax) kept.clear()
      kept.set(kid, keeping)
      keeping.catch(() => kept.delete(kid))
      return keeping
    },
  }
}

async function keepKey(ctx: AttestationCtx, kid: string): Promise<void> {
  if (await receiptKeysStore.isKnown(ctx.sql, kid)) return
  const own = await attestWith(ctx, null)
  if (receiptKidOf(own) !== kid) throw new EnclaveError('unavailable', 'the key of the receipt has gone')
  await receiptKeysStore.insert(ctx.sql, kid, own)
}

/** Keeps the attestation of the enclave's receipt key, which ends with its process, before anybody sees the key. */
async function keepReceiptKey(ctx: AttestationCtx, seen: Attestation): Promise<void> {
  const kid = receiptKidOf(seen)
  if (kid === undefined || (await receiptKeysStore.isKnown(ctx.sql, kid))) return
  const own = await attestWith(ctx, null)
  const ownKid = receiptKidOf(own)
  // Another one by now if the enclave was restarted in between.
  if (ownKid !== undefined) await receiptKeysStore.insert(ctx.sql, ownKid, own)
}

const receiptKidOf = ({ keys }: Attestation): string | undefined =>
  keys.find(({ use }) => use === 'receipt')?.kid
