import type { SignRequest } from '@symbolon/api'
import {
  type Chain,
  networks,
  type Payload,
  parsePayload,
  preview,
  type SignIntent,
  type SignPreview,
  withOperationFee,
} from '@symbolon/networks'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import type { ReadyWallet } from '../../wallets/index.ts'

/** The session that asks, and its organization. */
export type AgentActor = { organization: Organization; session: AgentSessionPrincipal }

/** A request for a signature: who asks, in which run, and what is known about it so far. */
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

/** A payload to sign. `operation`: JSON of the stored operation whose hash it is. */
export type SigningPayload = {
  wallet: ReadyWallet
  chain: Chain
  intent: SignIntent
  /** The parsed intent; throws `NetworkError` where it cannot be parsed, which is reported after the policy's decision. */
  parsed(): Payload
  /** What it shows, decoded once; throws as `parsed` does. */
  preview(): SignPreview
  operation?: string
}

/** A payload of a wallet, parsed once it is needed. */
export function signingPayload(
  wallet: ReadyWallet,
  chain: Chain,
  intent: SignIntent,
  operation?: string,
): SigningPayload {
  const { curve, publicKey, addresses } = wallet
  let payload: Payload | undefined
  let shown: SignPreview | undefined
  const parsed = () => {
    payload ??= parsePayload(networks, intent, curve, publicKey, { address: addresses[chain.addressName] })
    return payload
  }
  return {
    wallet,
    chain,
    intent,
    parsed,
    preview() {
      shown ??= shownOf(parsed(), operation)
      return shown
    },
    ...(operation !== undefined && { operation }),
  }
}

function shownOf(payload: Payload, operation: string | undefined): SignPreview {
  const shown = preview(payload)
  return operation === undefined ? shown : withOperationFee(shown, payload, JSON.parse(operation))
}

/** The handle of a known chain, as events name it, or null: other texts of a caller are not recorded. */
export const knownChain = (handle: string | undefined): string | null =>
  networks.chain(handle ?? '')?.handle ?? null

/** The method of a request, as policies name it. */
export const methodOf = (type: SignRequest['type']): 'signMessage' | 'sendTransaction' =>
  type === 'transaction' || type === 'user_operation' || type === 'authorization'
    ? 'sendTransaction'
    : 'signMessage'
