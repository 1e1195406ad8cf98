import { combineShares, equalBytes } from '@symbolon/crypto'
import {
  type EnclaveCurve,
  type HpkeRecipient,
  parseEnvelope,
  type Received,
  rowContext,
  type SignRequest,
} from '@symbolon/crypto/node'
import type { Networks } from '@symbolon/networks'
import type { PolicyNames } from '@symbolon/policy'
import type { AgentPolicies } from './agent-policies.ts'
import type { AllowedRequests } from './allowed-requests.ts'
import type { DataKeyCache } from './data-key-cache.ts'
import { EnclaveFault } from './enclave-fault.ts'
import type { FreshnessMarks } from './marks/freshness-marks.ts'
import type { OwnAddresses } from './own-addresses.ts'
import type { ServingRing } from './ring/ring.ts'
import type { SecureSlots, Slot } from './secure-slots.ts'
import type { Signer } from './signer.ts'
import type { TaprootSigner } from './signer-taproot.ts'
import { openShare, shareLayout } from './tee-envelope.ts'

/** Everything that touches secrets: locked memory, the data-key cache, the tee-a key ring and the signers. */
export type Vault = {
  networks: Networks
  addressesOf: OwnAddresses
  /** When two texts of policies name the same, on those networks. */
  names: PolicyNames
  slots: SecureSlots
  cache: DataKeyCache
  /** Data keys of agents' grants. */
  grantKeys: DataKeyCache
  policies: AgentPolicies
  /** What `evaluate` allowed, until `agentSign` asks for it. */
  allowed: AllowedRequests
  /** What this boot saw and signed; a ring that was put back finds them again. */
  marks: FreshnessMarks
  /** The enclave's own clock, since 1970. */
  nowMs: () => number
  /** The open key ring, with the manifest that it is served under. */
  ring: ServingRing
  signers: Record<EnclaveCurve, Signer>
  taproot: TaprootSigner
  /** The P-256 key of this boot that keys are sealed to which come from outside. */
  importKey: HpkeRecipient
}

/** A wallet's shares, and what opens and proves them. */
export type WalletShares = Omit<Received<SignRequest>, 'intent'>

/**
 * Rebuilds a wallet's private key into `key` (and what its signer needs into `work`) once its public key is proven
 * to be the wallet's own. Throws `EnclaveFault('key_mismatch')` otherwise, `EnvelopeError` or `ShareError` on
 * shares that are not this wallet's. The caller gives both slots back.
 */
export function rebuildKey(vault: Vault, wallet: WalletShares, key: Slot, work: Slot): void {
  const { slots } = vault
  const a = slots.take()
  const b = slots.take()
  try {
    openShareA(vault, wallet.shareA, wallet.row, a.share)
    openShare(wallet.shareB, shareLayout(wallet.shareB, 'tee-b'), wallet.dataKeyB, wallet.row, b.share)
    combineShares(a.share, b.share, key.key)
  } finally {
    slots.give(b)
    slots.give(a)
  }
  const publicKey = vault.signers[wallet.curve].publicKey(key.key, work.full)
  if (!equalBytes(publicKey, wallet.publicKey)) {
    throw new EnclaveFault('key_mismatch', 'the shares do not make the key of this wallet')
  }
}

function openShareA(vault: Vault, envelope: Uint8Array, row: Uint8Array, out: Uint8Array): void {
  const layout = shareLayout(envelope, 'tee-a')
  const dataKey = vault.cache.get(row, envelope, layout.wrappedEnd, () =>
    vault.ring.keys.unwrap(parseEnvelope(envelope).wrappedKey, rowContext(row, 'tee-a')),
  )
  openShare(envelope, layout, dataKey, row, out)
}
