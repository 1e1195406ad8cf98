import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@symbolon/api'
import { keyedHash } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Queryable, Sql, Transaction } from '../../../db/pool.ts'
import type { UserToken } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Kms } from '../../../ports/kms.ts'
import {
  RecoveryShareError,
  type RecoverySharePlace,
  type RecoveryShareStore,
} from '../../../ports/recovery-share-store.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { Audit, AuditEvent } from '../../audit/index.ts'
import { type GuardFailure, guardFailure } from '../core/guard-failure.ts'
import { type SealedShare, sealShare } from './share-envelopes.ts'
import type { SharePair } from './share-pair.ts'
import { type Claim, type Claimed, shareVersionsStore } from './share-versions.store.ts'
import { type ClientWallet, walletSharesStore } from './wallet-shares.store.ts'

/** The context for switching shares; `pepper` keys the hashes of offered shares, and attempts end when the process `holder` dies. */
export type SharesCtx = {
  sql: Sql
  pepper: KeyObject
  attempts: { ids: Ids; holder: string }
  audit: Audit
  kms: Kms
  recoveryShares: RecoveryShareStore
}

/** New shares on their way into force, and what differs between a refresh and a recovery. */
type SwitchPlan<result, own extends ErrorCode> = {
  organizationId: string
  identityId: string
  curve: Curve
  walletId: string
  /** The only version that may be replaced; any version when absent. */
  fromVersion?: number
  /** The login that must still stand at the commit. */
  token: UserToken
  pair: SharePair
  /** Reserves the wallet for one attempt. `busy` is repeated; any other state without a version goes to `refusal`. */
  claim(claim: Claim): Promise<Claimed>
  unclaim(attemptId: string): Promise<unknown>
  /** Consumes the reservation, as the first step in the transaction of the switch; `false` when it is lost. */
  consume(tx: Transaction, attemptId: string): Promise<boolean>
  /** Further changes in the same transaction, and the result. */
  finish(tx: Transaction, switched: { address: string; at: Date }): Promise<result>
  /** Why a claim was refused with `state`, or why an attempt has lost its reservation. */
  refusal(sql: Queryable, state?: string): Promise<Failure<own>>
  event(version: number): AuditEvent
}

/** What every switch of shares may fail with. */
export type SwitchFailure = Failure<'recovery_webhook_failed' | 'unavailable'> | GuardFailure

/** An attempt that holds its reservation, and the version of its shares. */
type Attempt = { attemptId: string; version: number; isNewOffer: boolean }

/** Shares at rest, not yet in force. */
type Stored = { provider: SealedShare; place: RecoverySharePlace }

// A little more than the 15 s that a webhook has.
const leaseMs = 20_000
const pollMs = 100
const pollsMax = (leaseMs + 5_000) / pollMs

/**
 * Puts new shares into force. The recovery share is durable first, under a version that no other share was ever sent under;
 * then one transaction switches everything. If the process dies on the way, either the old pair or the new one is in force.
 */
export async function switchShares<result, own extends ErrorCode>(
  ctx: SharesCtx,
  plan: SwitchPlan<result, own>,
): Promise<result | SwitchFailure | Failure<own>> {
  const attempt = await claim(ctx, plan)
  if (isFailure(attempt)) return attempt
  // If this fails, the lease ends by itself.
  const unclaim = () => plan.unclaim(attempt.attemptId).catch(() => {})
  try {
    const outcome = await storeAndSwitch(ctx, plan, attempt)
    if (isFailure(outcome)) await unclaim()
    return outcome
  } catch (error) {
    await unclaim()
    if (error instanceof RecoveryShareError) return failure('recovery_webhook_failed', { cause: error })
    throw error
  }
}

/** Waits while another attempt holds the wallet, until that one has switched or this one gets its turn. */
async function claim<own extends ErrorCode>(
  { sql, attempts: { ids, holder }, pepper }: SharesCtx,
  plan: SwitchPlan<unknown, own>,
): Promise<Attempt | Failure<own> | Failure<'unavailable'>> {
  const attemptId = ids.next()
  const encoded = Buffer.from(plan.pair.recovery).toString('base64')
  const shareHash = keyedHash(pepper, JSON.stringify(['recovery-offer', plan.walletId, encoded]))
  for (let i = 0; i < pollsMax; i++) {
    const { state, version, isNewOffer } = await plan.claim({ attemptId, shareHash, leaseMs, holder })
    if (version !== null) return { attemptId, version, isNewOffer: isNewOffer === true }
    if (state !== 'busy') return plan.refusal(sql, state)
    await sleep(pollMs)
  }
  return failure('unavailable')
}

async function storeAndSwitch<result, own extends ErrorCode>(
  ctx: SharesCtx,
  plan: SwitchPlan<result, own>,
  attempt: Attempt,
): Promise<result | GuardFailure | Failure<own>> {
  const wallet = await walletSharesStore.ofUser(ctx.sql, plan.organizationId, plan.identityId, plan.curve)
  if (wallet === undefined) return failure('wallet_not_found')
  const { fromVersion = wallet.polynomialVersion } = plan
  if (wallet.polynomialVersion !== fromVersion) return plan.refusal(ctx.sql)
  const stored = await store(ctx, wallet, plan.pair, attempt)
  const outcome = await putIntoForce(ctx, plan, { wallet, attempt, stored })
  if (!isFailure(outcome)) ctx.recoveryShares.nudge()
  return outcome
}

/** Makes both shares durable. A version is free again once its share certainly never arrives. */
async function store(
  { sql, kms, recoveryShares }: SharesCtx,
  wallet: ClientWallet,
  pair: SharePair,
  attempt: Attempt,
): Promise<Stored> {
  const position = { ...wallet, polynomialVersion: attempt.version }
  try {
    const providerPosition = { ...position, shareIndex: pair.providerIndex }
    const provider = await sealShare(kms, 'provider', providerPosition, pair.provider)
    const place = await recoveryShares.store({ ...position, shareIndex: pair.recoveryIndex }, pair.recovery)
    return { provider, place }
  } catch (error) {
    const isOpen = error instanceof RecoveryShareError && error.mayStillArrive
    if (attempt.isNewOffer && !isOpen)
      await shareVersionsStore.withdrawOffer(sql, wallet.walletId, attempt.version)
    throw error
  }
}

function putIntoForce<result, own extends ErrorCode>(
  { sql, audit, recoveryShares }: SharesCtx,
  plan: SwitchPlan<result, own>,
  { wallet, attempt, stored }: { wallet: ClientWallet; attempt: Attempt; stored: Stored },
): Promise<result | GuardFailure | Failure<own>> {
  const { walletId, pair } = plan
  const ref = { ...wallet, polynomialVersion: attempt.version, shareIndex: pair.recoveryIndex }
  return sql.begin(async (tx) => {
    await lockOrganization(tx, plan.organizationId)
    const isConsumed = await plan.consume(tx, attempt.attemptId)
    const fromVersion = wallet.polynomialVersion
    const switched = isConsumed
      ? await shareVersionsStore.raise(tx, { walletId, fromVersion, toVersion: attempt.version })
      : undefined
    if (switched === undefined) return plan.refusal(tx)
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
    // If the organization's recovery mode has changed since, shares in the other place go too.
    if (wallet.recoveryPlace.at !== stored.place.at)
      await recoveryShares.rotated(tx, ref, wallet.recoveryPlace)
    const result = await plan.finish(tx, switched)
    const broken = await audit.appendIf(tx, plan.event(attempt.version), { walletId, token: plan.token })
    return broken === undefined ? result : guardFailure(broken)
  })
}
