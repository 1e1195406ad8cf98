import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnvelope, rewrapEnvelope } from '@symbolon/crypto/node'
import type { Sql } from '../../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Kms, KmsError } from '../../../ports/kms.ts'
import type { Log } from '../../../ports/log.ts'
import { type RewrapCursor, rewrapStore, type SharePurpose, type WrappedShare } from './rewrap.store.ts'

/** What a run did, in shares. `failed` names wallets whose share the KMS or the enclave refuses, which another run does not change. */
type RewrapResult = { version: number; rewrapped: number; failed: string[] }

/** The context for rewrapping shares. The enclave's own key, `tee-a`, needs no KMS. */
type RewrapCtx = { sql: Sql; kms?: Kms; enclave: Enclave; log: Log }

// While a batch runs, its wallets cannot be archived, and an archive that waits holds up its organization: so batches are small.
const batchMax = 32
const othersPauseMs = 100
const start: RewrapCursor = { keyVersion: 0, rowId: '00000000-0000-0000-0000-000000000000' }

function given(kms: Kms | undefined): Kms {
  if (kms === undefined) throw new TypeError('This key is one of the KMS, which was not given.')
  return kms
}

/**
 * Wraps the data key of every share below the current version anew, until only the failed ones are left. The ciphertext stays, and
 * the data key is rewrapped inside KMS or enclave: this process sees neither. Signatures continue meanwhile, with old and new
 * envelopes alike. A run can be interrupted, repeated and run by several processes at once. Rejects when database, KMS or enclave is out
 * of reach: the next run continues where this one ended.
 */
export async function rewrapShares(ctx: RewrapCtx, purpose: SharePurpose): Promise<RewrapResult> {
  const { sql, kms, enclave, log } = ctx
  const version =
    purpose === 'tee-a' ? (await enclave.status()).keyVersionA : await given(kms).currentVersion(purpose)
  let rewrapped = 0
  for (;;) {
    const done = await pass(ctx, purpose, version)
    rewrapped += done.rewrapped
    const remaining = await rewrapStore.countStale(sql, purpose, version)
    log.info({ purpose, version, rewrapped, remaining }, 'data keys were rewrapped')
    if (remaining <= done.failed.length) return { version, rewrapped, failed: done.failed }
    // Another process holds the rest. If it dies, this one takes over.
    await sleep(othersPauseMs)
  }
}

/** Goes once through all stale shares that nobody else holds. */
async function pass(ctx: RewrapCtx, purpose: SharePurpose, version: number) {
  const done = { rewrapped: 0, failed: [] as string[] }
  let after: RewrapCursor | undefined = start
  while (after !== undefined) {
    const { last, rewrapped, failed } = await batch(ctx, purpose, version, after)
    done.rewrapped += rewrapped
    done.failed.push(...failed)
    after = last
  }
  return done
}

async function batch(ctx: RewrapCtx, purpose: SharePurpose, version: number, after: RewrapCursor) {
  return ctx.sql.begin(async (tx) => {
    const wallets = await rewrapStore.lockStale(tx, purpose, version, after, batchMax)
    const attempts = await Promise.all(wallets.map((wallet) => rewrap(ctx, purpose, wallet)))
    let rewrapped = 0
    for (const next of attempts) {
      if (next !== undefined && (await rewrapStore.replace(tx, purpose, next.wallet, next))) rewrapped += 1
    }
    const failed = wallets.filter((_, i) => attempts[i] === undefined).map(({ walletId }) => walletId)
    return { last: wallets.at(-1), rewrapped, failed }
  })
}

/** The wallet's share under the newest key; undefined when KMS or enclave refuses it for good. */
async function rewrap(ctx: RewrapCtx, purpose: SharePurpose, wallet: WrappedShare) {
  try {
    const share = await rewrapEnvelopeOf(ctx, purpose, wallet)
    return { wallet, share, keyVersion: parseEnvelope(share).wrappedKey.keyVersion }
  } catch (error) {
    if (!isRefusal(error)) throw error
    ctx.log.error({ err: error, walletId: wallet.walletId, purpose }, 'a share cannot be rewrapped')
    return undefined
  }
}

async function rewrapEnvelopeOf(
  { kms, enclave }: RewrapCtx,
  purpose: SharePurpose,
  wallet: WrappedShare,
): Promise<Uint8Array> {
  if (purpose === 'tee-a') return (await enclave.rewrap({ ...wallet, shareA: wallet.share })).shareA
  const context = { ...wallet, purpose }
  return rewrapEnvelope(
    wallet.share,
    await given(kms).rewrap(parseEnvelope(wallet.share).wrappedKey, context),
  )
}

const isRefusal = (error: unknown) =>
  (error instanceof KmsError && error.code !== 'unavailable') ||
  (error instanceof EnclaveError && error.code !== 'unavailable') ||
  (error instanceof Error && error.name === 'EnvelopeError')
