import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnvelope, rewrapEnvelope, type WrappedKey } from '@symbolon/crypto/node'
import type { Sql } from '../../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Kms, KmsError } from '../../../ports/kms.ts'
import type { Log } from '../../../ports/log.ts'
import { type RewrapCursor, rewrapStore, type SharePurpose, type WrappedShare } from './rewrap.store.ts'

/** What a run did, in shares: `failed` names wallets whose share the KMS or the enclave refuses, which no repetition mends. */
export type RewrapResult = { version: number; rewrapped: number; failed: string[] }

/** Moves the data keys of wallets' shares under the newest key-encryption key. */
export type Rewrapper = {
  /** Makes a new version of the key; what exists stays under the old one until `run`. Answers the version. */
  rotate(purpose: SharePurpose): Promise<number>
  /**
   * Wraps the data key of every share anew that is below the current version. Ends when none is left but the failed
   * ones; can be broken off, repeated and run by several processes at once. Rejects when database, KMS or enclave is
   * out of reach: the next run goes on where this one ended.
   */
  run(purpose: SharePurpose): Promise<RewrapResult>
}

// While a batch is under way its wallets cannot be archived, and archiving holds up its organization: so it is short.
const batchMax = 32
const othersPauseMs = 100
const start: RewrapCursor = { keyVersion: 0, rowId: '00000000-0000-0000-0000-000000000000' }

/**
 * Makes the job. A share's ciphertext is never touched, its data key is unwrapped and wrapped inside KMS or enclave:
 * this process sees neither. Signatures go on meanwhile, with old and new envelopes alike.
 */
export function rewrapper({
  sql,
  kms,
  enclave,
  log,
}: {
  sql: Sql
  kms: Kms
  enclave: Enclave
  log: Log
}): Rewrapper {
  const rewrapShare = async (purpose: SharePurpose, wallet: WrappedShare): Promise<Uint8Array> => {
    if (purpose === 'tee-a') return (await enclave.rewrap({ ...wallet, shareA: wallet.share })).shareA
    const context = { ...wallet, purpose }
    return rewrapEnvelope(wallet.share, await kms.rewrap(parseEnvelope(wallet.share).wrappedKey, context))
  }

  /** The wallet's share under the newest key; undefined when it can never be. */
  async function attempt(purpose: SharePurpose, wallet: WrappedShare) {
    try {
      const share = await rewrapShare(purpose, wallet)
      return { wallet, share, keyVersion: wrappedKeyOf(share).keyVersion }
    } catch (error) {
      if (!isRefusal(error)) throw error
      log.error({ err: error, walletId: wallet.walletId, purpose }, 'a share cannot be rewrapped')
      return undefined
    }
  }

  async function batch(purpose: SharePurpose, version: number, after: RewrapCursor) {
    return sql.begin(async (tx) => {
      const wallets = await rewrapStore.lockStale(tx, purpose, version, after, batchMax)
      const attempts = await Promise.all(wallets.map((wallet) => attempt(purpose, wallet)))
      let rewrapped = 0
      for (const next of attempts) {
        if (next !== undefined && (await rewrapStore.replace(tx, purpose, next.wallet, next))) rewrapped += 1
      }
      const failed = wallets.filter((_, i) => attempts[i] === undefined).map(({ walletId }) => walletId)
      return { last: wallets.at(-1), rewrapped, failed }
    })
  }

  async function pass(purpose: SharePurpose, version: number) {
    const done = { rewrapped: 0, failed: [] as string[] }
    let after: RewrapCursor | undefined = start
    while (after !== undefined) {
      const { last, rewrapped, failed } = await batch(purpose, version, after)
      done.rewrapped += rewrapped
      done.failed.push(...failed)
      after = last
    }
    return done
  }

  return {
    async rotate(purpose) {
      if (purpose === 'tee-a') return (await enclave.rotate()).keyVersionA
      return (await kms.rotate(purpose)).version
    },
    async run(purpose) {
      const version =
        purpose === 'tee-a' ? (await enclave.status()).keyVersionA : await kms.currentVersion(purpose)
      let rewrapped = 0
      for (;;) {
        const done = await pass(purpose, version)
        rewrapped += done.rewrapped
        const remaining = await rewrapStore.countStale(sql, purpose, version)
        log.info({ purpose, version, rewrapped, remaining }, 'data keys were rewrapped')
        if (remaining <= done.failed.length) return { version, rewrapped, failed: done.failed }
        // Another process holds the rest: should it die, they are ours.
        await sleep(othersPauseMs)
      }
    },
  }
}

const wrappedKeyOf = (share: Uint8Array): WrappedKey => parseEnvelope(share).wrappedKey

const isRefusal = (error: unknown) =>
  (error instanceof KmsError && error.code !== 'unavailable') ||
  (error instanceof EnclaveError && error.code !== 'unavailable') ||
  (error instanceof Error && error.name === 'EnvelopeError')
