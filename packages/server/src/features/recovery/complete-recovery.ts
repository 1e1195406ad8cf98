import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import { keyedHash } from '@symbolon/crypto/node'
import { RecoveryShareError, type RecoverySharePlace } from '../../ports/recovery-share-store.ts'
import type { SealedShare } from '../shares/share-envelopes.ts'
import type { GivenShares, SharePair } from '../shares/share-pair.ts'
import type { ClientWallet } from '../shares/wallet-shares.store.ts'
import { outOfState, ownedProcess, type RecoveryCaller, recoveryEvent } from './owned-process.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'
import { recoveredMail } from './recovery-mails.ts'
import type { RecoveryPorts } from './recovery-ports.ts'

type CompleteErrors =
  | 'signing_mode_mismatch'
  | 'invalid_share'
  | 'wallet_not_found'
  | 'not_found'
  | 'wallet_archived'
  | 'process_state'
  | 'expired'
  | 'recovery_webhook_failed'
  | 'token_revoked'
  | 'token_expired'
  | 'unavailable'

/** An attempt that alone may complete its process until its lease ends, and the version its shares go under. */
type Attempt = { id: string; attemptId: string; version: number; isNewOffer: boolean }

/** Shares at rest, not yet in force. */
type Stored = { provider: SealedShare; place: RecoverySharePlace }

// A little more than the 15 s that a webhook has.
const leaseMs = 20_000
const pollMs = 100
const pollsMax = (leaseMs + 5_000) / pollMs

/**
 * Puts new shares into force. The recovery share is durable first, under a version that no other share was ever sent under;
 * then one transaction switches everything. Whatever dies on the way, either the old pair or the new one is in force.
 */
export function completeRecovery(ports: RecoveryPorts) {
  const { sql, pepper, ids, audit, outbox, walletShares, provider, recoveryShares, readSharePair } = ports

  /** Waits while another attempt is at it: in the end that one has completed the process, or it is this one's turn. */
  async function claim(
    process: RecoveryProcess,
    pair: SharePair,
    fail: Fail<CompleteErrors>,
  ): Promise<Attempt> {
    const attemptId = ids.next()
    const encoded = Buffer.from(pair.recovery).toString('base64')
    const shareHash = keyedHash(pepper, JSON.stringify(['recovery-offer', process.walletId, encoded]))
    for (let i = 0; i < pollsMax; i++) {
      const claimed = await recoveryStore.claim(sql, { id: process.id, attemptId, shareHash, leaseMs })
      const { state, version } = claimed
      if (version !== null)
        return { id: process.id, attemptId, version, isNewOffer: claimed.isNewOffer === true }
      if (state !== 'busy') throw outOfState(state, fail)
      await sleep(pollMs)
    }
    throw fail('unavailable')
  }

  /** Makes both shares durable. A version whose share certainly never arrives is free again. */
  async function store(wallet: ClientWallet, pair: SharePair, attempt: Attempt): Promise<Stored> {
    const position = { ...wallet, polynomialVersion: attempt.version }
    try {
      const sealed = await provider.seal({ ...position, shareIndex: pair.providerIndex }, pair.provider)
      const place = await recoveryShares.store({ ...position, shareIndex: pair.recoveryIndex }, pair.recovery)
      return { provider: sealed, place }
    } catch (error) {
      const isOpen = error instanceof RecoveryShareError && error.mayStillArrive
      if (attempt.isNewOffer && !isOpen)
        await recoveryStore.withdrawOffer(sql, wallet.walletId, attempt.version)
      throw error
    }
  }

  async function switchTo(
    stored: Stored,
    pair: SharePair,
    { attempt, process, wallet, caller }: Switch,
    fail: Fail<CompleteErrors>,
  ): Promise<void> {
    const { walletId } = wallet
    const ref = { ...wallet, polynomialVersion: attempt.version, shareIndex: pair.recoveryIndex }
    await sql.begin(async (tx) => {
      await recoveryStore.lockOrganization(tx, process.organizationId)
      const done = await recoveryStore.complete(tx, {
        ...attempt,
        walletId,
        fromVersion: wallet.polynomialVersion,
        toVersion: attempt.version,
      })
      if (done === undefined) throw fail(await stateNow(caller, process.id, fail))
      await walletShares.rotate(tx, walletId)
      await walletShares.insert(tx, {
        ...ref,
        providerIndex: pair.providerIndex,
        providerEnvelope: stored.provider.envelope,
        providerKeyVersion: stored.provider.keyVersion,
        recoveryIndex: pair.recoveryIndex,
        recoveryPlace: stored.place,
      })
      await recoveryShares.rotated(tx, ref, stored.place)
      // The organization's mode has changed since: what is left in the other place goes too.
      if (wallet.recoveryPlace.at !== stored.place.at)
        await recoveryShares.rotated(tx, ref, wallet.recoveryPlace)
      await recoveryStore.queueMail(tx, outbox.seal({ to: process.email, ...recoveredMail(done) }))
      const broken = await audit.appendIf(tx, eventOf(process, attempt.version), {
        walletId,
        token: caller.token,
      })
      if (broken !== undefined)
        throw fail(broken === 'not_found' ? 'wallet_not_found' : (broken as CompleteErrors))
    })
    outbox.nudge()
    recoveryShares.nudge()
  }

  /** Why an attempt that held the process has lost it. */
  async function stateNow(caller: RecoveryCaller, id: string, fail: Fail<CompleteErrors>) {
    const { state } = await ownedProcess(sql, caller, id, fail)
    return state === 'expired' ? 'expired' : 'process_state'
  }

  type Switch = { attempt: Attempt; process: RecoveryProcess; wallet: ClientWallet; caller: RecoveryCaller }

  async function complete(
    caller: RecoveryCaller,
    process: RecoveryProcess,
    pair: SharePair,
    fail: Fail<CompleteErrors>,
  ): Promise<void> {
    const attempt = await claim(process, pair, fail)
    try {
      const { organization, identity } = caller
      const wallet = await walletShares.ofUser(sql, organization.id, identity.id, process.curve)
      if (wallet === undefined) throw fail('wallet_not_found')
      const stored = await store(wallet, pair, attempt)
      await switchTo(stored, pair, { attempt, process, wallet, caller }, fail)
    } catch (error) {
      // Without an answer the lease ends by itself.
      await recoveryStore.unclaim(sql, attempt).catch(() => {})
      if (error instanceof RecoveryShareError) throw fail('recovery_webhook_failed', { cause: error })
      throw error
    }
  }

  return async (
    caller: RecoveryCaller,
    { processId, ...given }: GivenShares & { processId: string },
    fail: Fail<CompleteErrors>,
  ): Promise<void> => {
    const process = await ownedProcess(sql, caller, processId, fail)
    if (process.state !== 'verified') throw outOfState(process.state, fail)
    const pair = readSharePair(given, fail)
    try {
      if (process.walletStatus === 'archived') throw fail('wallet_archived')
      await complete(caller, process, pair, fail)
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'unavailable')
        await audit.write({ ...eventOf(process), success: false, errorCode: error.code })
      throw error
    } finally {
      wipe(pair.provider)
      wipe(pair.recovery)
    }
  }
}

const eventOf = (process: RecoveryProcess, version?: number) => ({
  ...recoveryEvent(process),
  type: 'recovery.completed' as const,
  payload: {
    recovery_process_id: process.id,
    ...(version !== undefined && { polynomial_version: version }),
  },
})
