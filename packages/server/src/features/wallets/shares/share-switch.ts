import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError, Fail } from '@symbolon/api'
import { keyedHash } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { UserToken } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import {
  RecoveryShareError,
  type RecoverySharePlace,
  type RecoveryShareStore,
} from '../../../ports/recovery-share-store.ts'
import type { Audit, AuditEvent } from '../../audit/index.ts'
import type { SealedShare, ShareEnvelopes } from './share-envelopes.ts'
import type { SharePair } from './share-pair.ts'
import { type Claim, type Claimed, shareVersionsStore } from './share-versions.store.ts'
import { type ClientWallet, walletSharesStore } from './wallet-shares.store.ts'

/** What every switch of shares may be refused with, beside its own reasons. */
export type SwitchErrors =
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'recovery_webhook_failed'
  | 'token_revoked'
  | 'token_expired'
  | 'unavailable'

/** New shares on their way into force, and what is particular to their way. */
export type SwitchPlan = {
  organizationId: string
  identityId: string
  curve: Curve
  walletId: string
  /** The only version that may be replaced; whichever is in force when absent. */
  fromVersion?: number
  /** The login that must still stand at the commit. */
  token: UserToken
  pair: SharePair
  /** Reserves for one attempt; `busy` is asked again, any other state without a version goes to `refusal`. */
  claim(claim: Claim): Promise<Claimed>
  unclaim(attemptId: string): Promise<unknown>
  /** Takes up the reservation, first in the transaction of the switch; `false` when it is lost. */
  take(tx: Transaction, attemptId: string): Promise<boolean>
  /** What else changes with the switch. */
  finish(tx: Transaction, switched: { address: string; at: Date }): Promise<void>
  /** The error of a claim that was refused with a state, or of an attempt that has lost what it held. */
  refusal(state?: string): Promise<ApiError>
  event(version: number): AuditEvent
}

/** An attempt that holds its reservation, and the version its shares go under. */
type Attempt = { attemptId: string; version: number; isNewOffer: boolean }

/** Shares at rest, not yet in force. */
type Stored = { provider: SealedShare; place: RecoverySharePlace }

// A little more than the 15 s that a webhook has.
const leaseMs = 20_000
const pollMs = 100
const pollsMax = (leaseMs + 5_000) / pollMs

/** Puts the shares of a plan into force. */
export type SwitchShares = ReturnType<typeof shareSwitch>

/**
 * Puts new shares into force. The recovery share is durable first, under a version that no other share was ever sent under;
 * then one transaction switches everything. Whatever dies on the way, either the old pair or the new one is in force.
 */
export function shareSwitch({
  sql,
  pepper,
  ids,
  audit,
  provider,
  recoveryShares,
}: {
  sql: Sql
  pepper: KeyObject
  ids: Ids
  audit: Audit
  provider: ShareEnvelopes
  recoveryShares: RecoveryShareStore
}) {
  /** Waits while another attempt is at it: in the end that one has switched, or it is this one's turn. */
  async function claim(plan: SwitchPlan, fail: Fail<SwitchErrors>): Promise<Attempt> {
    const attemptId = ids.next()
    const encoded = Buffer.from(plan.pair.recovery).toString('base64')
    const shareHash = keyedHash(pepper, JSON.stringify(['recovery-offer', plan.walletId, encoded]))
    for (let i = 0; i < pollsMax; i++) {
      const { state, version, isNewOffer } = await plan.claim({ attemptId, shareHash, leaseMs })
      if (version !== null) return { attemptId, version, isNewOffer: isNewOffer === true }
      if (state !== 'busy') throw await plan.refusal(state)
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
        await shareVersionsStore.withdrawOffer(sql, wallet.walletId, attempt.version)
      throw error
    }
  }

  async function putIntoForce(
    plan: SwitchPlan,
    { wallet, attempt, stored }: { wallet: ClientWallet; attempt: Attempt; stored: Stored },
    fail: Fail<SwitchErrors>,
  ): Promise<void> {
    const { walletId, pair } = plan
    const ref = { ...wallet, polynomialVersion: attempt.version, shareIndex: pair.recoveryIndex }
    await sql.begin(async (tx) => {
      // What every commit of an event, every archive and every logout of the organization waits for: always first.
      await tx`select 1 from organization_counters where organization_id = ${plan.organizationId} for update`
      const fromVersion = wallet.polynomialVersion
      const isTaken = await plan.take(tx, attempt.attemptId)
      const switched = isTaken
        ? await shareVersionsStore.raise(tx, { walletId, fromVersion, toVersion: attempt.version })
        : undefined
      if (switched === undefined) throw await plan.refusal()
      await walletSharesStore.rotate(tx, walletId)
      await walletSharesStore.insert(tx, {
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
      await plan.finish(tx, switched)
      const broken = await audit.appendIf(tx, plan.event(attempt.version), { walletId, token: plan.token })
      if (broken !== undefined)
        throw fail(broken === 'not_found' ? 'wallet_not_found' : (broken as SwitchErrors))
    })
    recoveryShares.nudge()
  }

  return async (plan: SwitchPlan, fail: Fail<SwitchErrors>): Promise<void> => {
    const attempt = await claim(plan, fail)
    try {
      const wallet = await walletSharesStore.ofUser(sql, plan.organizationId, plan.identityId, plan.curve)
      if (wallet === undefined) throw fail('wallet_not_found')
      const { fromVersion = wallet.polynomialVersion } = plan
      if (wallet.polynomialVersion !== fromVersion) throw await plan.refusal()
      const stored = await store(wallet, plan.pair, attempt)
      await putIntoForce(plan, { wallet, attempt, stored }, fail)
    } catch (error) {
      // Without an answer the lease ends by itself.
      await plan.unclaim(attempt.attemptId).catch(() => {})
      if (error instanceof RecoveryShareError) throw fail('recovery_webhook_failed', { cause: error })
      throw error
    }
  }
}
