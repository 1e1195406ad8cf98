import type { SignRequest } from '@symbolon/api'
import { type Chain, networks, type Payload, parsePayload, type SignIntent } from '@symbolon/networks'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import type { ReadyWallet } from '../../wallets/index.ts'

/** The session that asks, and its organization. */
export type AgentActor = { organization: Organization; session: AgentSessionPrincipal }

/** A request for a signature: who asks, in which run, and what is known of it so far. */
export type SigningRequest = {
  actor: AgentActor
  runId: string | null
  /** `type` of the request, for the audit log; null where the request did not parse. */
  type: SignRequest['type'] | null
  chain: string | null
  /** The request named no chain: `chain` is the one of its curve. */
  isChainAssumed?: boolean
  wallet?: Pick<ReadyWallet, 'userIdentityId'>
}

/** What the enclave is asked to sign. `operation` is JSON of a stored operation whose hash it is. */
export type SigningPayload = {
  wallet: ReadyWallet
  chain: Chain
  intent: SignIntent
  /** The intent taken apart, once; throws `NetworkError` where that cannot be done, which counts after what the policy says. */
  parsed(): Payload
  operation?: string
}

/** A payload of a wallet, not taken apart before somebody asks. */
export function signingPayload(
  wallet: ReadyWallet,
  chain: Chain,
  intent: SignIntent,
  operation?: string,
): SigningPayload {
  const { curve, publicKey, addresses } = wallet
  let payload: Payload | undefined
  return {
    wallet,
    chain,
    intent,
    parsed() {
      payload ??= parsePayload(networks, intent, curve, publicKey, { address: addresses[chain.addressName] })
      return payload
    },
    ...(operation !== undefined && { operation }),
  }
}

/** A handle as events name it: that of a chain that exists, or null; whatever else a caller sends is not recorded. */
export const knownChain = (handle: string | undefined): string | null =>
  networks.chain(handle ?? '')?.handle ?? null

/** What policies call a request. */
export const methodOf = (type: SignRequest['type']): 'signMessage' | 'sendTransaction' =>
  type === 'transaction' || type === 'user_operation' || type === 'authorization'
    ? 'sendTransaction'
    : 'signMessage'
