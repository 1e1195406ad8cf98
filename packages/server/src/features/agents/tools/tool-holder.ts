import type { EffectivePolicy, NetworkName } from '@symbolon/api'
import { type Chain, networks } from '@symbolon/networks'
import { transactionsMax } from '../sessions/session-budget.ts'

/** What decides which tools can work for a caller: its policy, what is left of its transaction count, its organization's networks and its wallet's curve. */
export type ToolHolder = {
  policy: EffectivePolicy
  supportedNetworks: readonly NetworkName[]
  isEvmWallet: boolean
  /** How many transactions its session may still sign. Null: no limit. Absent: only the policy is known. */
  transactionsLeft?: number | null
}

/** The chains on which the policy lets the wallet use a method (`signMessage`, `sendTransaction`). None once no transaction is left. */
export function signingChains(
  { policy, supportedNetworks, isEvmWallet, transactionsLeft = transactionsMax(policy) }: ToolHolder,
  method: 'signMessage' | 'sendTransaction',
): readonly Chain[] {
  const { allowed_methods: methods, allowed_chains: allowed, blocked_chains: blocked } = policy
  if (methods !== null && !methods.includes(method)) return []
  if (method === 'sendTransaction' && transactionsLeft === 0) return []
  const curve = isEvmWallet ? 'secp256k1' : 'ed25519'
  return networks.chains.filter(
    ({ handle, network, curve: needed }) =>
      needed === curve &&
      supportedNetworks.includes(network as NetworkName) &&
      (allowed === null || allowed.includes(handle)) &&
      !blocked.includes(handle),
  )
}

/** The EVM chains on which the policy allows at least one recipient of a transaction. */
export function sendingChains(holder: ToolHolder): readonly Chain[] {
  const { allowed_recipients: recipients, allowed_contracts: contracts } = holder.policy
  // A method that is named in `selectors` needs no recipient.
  if (recipients?.length === 0 && contracts.length === 0) return []
  return signingChains(holder, 'sendTransaction').filter(isEvm)
}

/** The EVM chains on which the policy allows at least one payment by signature (EIP-3009). */
export function payingChains(holder: ToolHolder): readonly Chain[] {
  const { token_mode: mode, allowed_tokens: tokens, allowed_recipients: recipients } = holder.policy
  if (recipients?.length === 0 || mode === 'none' || (mode === 'allowlist' && tokens === null)) return []
  return signingChains(holder, 'signMessage')
    .filter(isEvm)
    .filter(({ handle }) => tokens === null || tokens.some(({ chain }) => chain === handle))
}

const isEvm = ({ network }: Chain): boolean => network === 'evm'
