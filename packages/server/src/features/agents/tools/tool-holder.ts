import type { EffectivePolicy, NetworkName } from '@symbolon/api'
import { type Chain, networks } from '@symbolon/networks'
import { transactionsMax } from '../sessions/session-budget.ts'

/** Who would call tools, as far as it decides which of them can work at all: its policy and count, its organization's networks, and its wallet's key. */
export type ToolHolder = {
  policy: EffectivePolicy
  supportedNetworks: readonly NetworkName[]
  isEvmWallet: boolean
  /** How many transactions its session may still sign; null without a limit, absent where only the policy is known. */
  transactionsLeft?: number | null
}

/** The chains on which the wallet may sign by a method (`signMessage`, `sendTransaction`), as far as the policy names chains and methods; none once no transaction is left. */
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

/** The EVM chains on which transactions may be sent to anybody. */
export function sendingChains(holder: ToolHolder): readonly Chain[] {
  const { allowed_recipients: recipients, allowed_contracts: contracts } = holder.policy
  // A named method may do without a recipient.
  if (recipients?.length === 0 && contracts.length === 0) return []
  return signingChains(holder, 'sendTransaction').filter(isEvm)
}

/** The EVM chains on which a token may be paid with to anybody, by a signature alone (EIP-3009). */
export function payingChains(holder: ToolHolder): readonly Chain[] {
  const { token_mode: mode, allowed_tokens: tokens, allowed_recipients: recipients } = holder.policy
  if (recipients?.length === 0 || mode === 'none' || (mode === 'allowlist' && tokens === null)) return []
  return signingChains(holder, 'signMessage')
    .filter(isEvm)
    .filter(({ handle }) => tokens === null || tokens.some(({ chain }) => chain === handle))
}

const isEvm = ({ network }: Chain): boolean => network === 'evm'
