import { ApiError, type Fail, type Wallet } from '@symbolon/api'
import { shareRefreshStatement, wipe } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import type { Queryable, Sql } from '../../../db/pool.ts'
import type { Identity, Organization, UserToken } from '../../../http/principal.ts'
import type { Audit, AuditEvent } from '../../audit/index.ts'
import { isRefreshProof } from './refresh-proof.ts'
import type { GivenShares, ReadSharePair, SharePair } from './share-pair.ts'
import type { SwitchErrors, SwitchShares } from './share-switch.ts'
import { shareVersionsStore } from './share-versions.store.ts'
import { type ClientWallet, walletSharesStore } from './wallet-shares.store.ts'

type RefreshErrors =
  | SwitchErrors
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'invalid_share'
  | 'invalid_signature'
  | 'process_state'

/** What a browser sends: the version it replaces, the new shares, and the key's signature (64 bytes) over all of it. */
export type GivenRefresh = GivenShares & {
  curve: Curve
  polynomialVersion: number
  signature: Uint8Array
}

type Principal = { organization: Organization; identity: Identity; token: UserToken }

/**
 * Replaces the shares of a wallet by those of a fresh polynomial, for whoever proves to have rebuilt the key. An open recovery
 * of the wallet ends with it. `endRecoveries` and `readWallet` work in the transaction of the switch.
 */
export function shareRefresh({
  sql,
  audit,
  readSharePair,
  switchShares,
  enabledCurves,
  endRecoveries,
  readWallet,
}: {
  sql: Sql
  audit: Audit
  readSharePair: ReadSharePair
  switchShares: SwitchShares
  enabledCurves: (organization: Organization) => ReadonlySet<Curve>
  endRecoveries: (tx: Queryable, walletId: string) => Promise<void>
  readWallet: (tx: Queryable, organizationId: string, walletId: string) => Promise<Wallet>
}) {
  async function refresh(
    { organization, identity, token }: Principal,
    given: GivenRefresh,
    { wallet, pair }: { wallet: ClientWallet; pair: SharePair },
    fail: Fail<RefreshErrors>,
  ): Promise<Wallet> {
    const { walletId } = wallet
    const fromVersion = given.polynomialVersion
    if (wallet.status === 'archived') throw fail('wallet_archived')
    if (!isProven(wallet, given, pair)) throw fail('invalid_signature')
    const outdated = () =>
      fail('process_state', { message: 'The shares have changed meanwhile. Read the wallet again.' })
    let refreshed: Wallet | undefined
    await switchShares(
      {
        organizationId: organization.id,
        identityId: identity.id,
        curve: given.curve,
        walletId,
        fromVersion,
        token,
        pair,
        claim: (claim) => shareVersionsStore.claimRefresh(sql, { ...claim, walletId, fromVersion }),
        unclaim: (attemptId) => shareVersionsStore.unclaimRefresh(sql, { walletId, attemptId }),
        async take(tx, attemptId) {
          // Before the wallet's row, as a recovery locks them.
          await endRecoveries(tx, walletId)
          return shareVersionsStore.unclaimRefresh(tx, { walletId, attemptId })
        },
        async finish(tx) {
          refreshed = await readWallet(tx, organization.id, walletId)
        },
        refusal: async () => outdated(),
        event: (version) => eventOf(wallet, { polynomial_version: version }),
      },
      fail,
    )
    if (refreshed === undefined) throw new Error('A refreshed wallet was not read.')
    return refreshed
  }

  return async (principal: Principal, given: GivenRefresh, fail: Fail<RefreshErrors>): Promise<Wallet> => {
    const { organization, identity } = principal
    if (organization.signingMode !== 'client') throw fail('signing_mode_mismatch')
    if (!enabledCurves(organization).has(given.curve)) throw fail('invalid_curve')
    const pair = readSharePair(given, fail)
    try {
      const wallet = await walletSharesStore.ofUser(sql, organization.id, identity.id, given.curve)
      if (wallet === undefined) throw fail('wallet_not_found')
      try {
        return await refresh(principal, given, { wallet, pair }, fail)
      } catch (error) {
        if (error instanceof ApiError && error.code !== 'unavailable') {
          const event = eventOf(wallet, { polynomial_version: given.polynomialVersion })
          await audit.write({ ...event, success: false, errorCode: error.code })
        }
        throw error
      }
    } finally {
      wipe(pair.provider, pair.recovery)
    }
  }
}

/** Replaces shares, as the route calls it. */
export type ShareRefresh = ReturnType<typeof shareRefresh>

function isProven(wallet: ClientWallet, given: GivenRefresh, pair: SharePair): boolean {
  const statement = shareRefreshStatement({
    walletId: wallet.walletId,
    polynomialVersion: given.polynomialVersion,
    newProviderShare: pair.provider,
    newProviderShareIndex: pair.providerIndex,
    newRecoveryShare: pair.recovery,
    newRecoveryShareIndex: pair.recoveryIndex,
  })
  try {
    return isRefreshProof(wallet.curve, wallet.publicKey, statement, given.signature)
  } finally {
    wipe(statement)
  }
}

const eventOf = (wallet: ClientWallet, payload: Record<string, unknown>): AuditEvent => ({
  organizationId: wallet.organizationId,
  type: 'wallet.shares_refreshed',
  userIdentityId: wallet.userIdentityId,
  walletId: wallet.walletId,
  actorType: 'end_user',
  actorId: wallet.userIdentityId,
  payload,
  success: true,
})
