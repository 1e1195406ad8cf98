import type { SmartAccount } from '@symbolon/api'
import { eurText } from '../spending/index.ts'
import type { SmartAccountRow } from './smart-accounts.store.ts'

/** What is paid for a wallet's gas: on this chain at all, and in the month over all chains, in micro-euros. */
export type SponsorPolicy = { isSponsored: boolean; capMicro: bigint; spentMicro: bigint }

/** The smart account of the wire (decisions.md 8). */
export const smartAccountToWire = (account: SmartAccountRow, policy: SponsorPolicy): SmartAccount => ({
  id: account.id,
  wallet_id: account.walletId,
  chain: account.chain,
  chain_id: account.chainId,
  factory: account.factory,
  entry_point: account.entryPoint,
  address: account.address,
  owner_address: account.ownerAddress,
  deployed: account.deployed,
  sponsor_policy: {
    sponsored: policy.isSponsored,
    monthly_cap_eur: eurText(policy.capMicro),
    spent_eur: eurText(policy.spentMicro),
    period: account.month,
  },
  created_by: account.createdBy,
  created_at: account.createdAt.toISOString(),
})
