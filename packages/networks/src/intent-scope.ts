import { type Chain, chainByHandle } from './chains.ts'
import type { MessageIntent, SignIntent } from './intent/intent.ts'
import type { Curve, Network } from './network.ts'
import { invalidPayload, invalidRequest, NetworkError } from './network-error.ts'
import { networks } from './networks.ts'

/** The chain and network an intent belongs to. */
export type IntentScope = { readonly chain: Chain; readonly network: Network }

/**
 * Finds an intent's chain and refuses what does not fit it: another curve or a kind or field that the network
 * does not have (`invalid_request`), a transaction of another network (`invalid_payload`).
 */
export function intentScope(intent: SignIntent, curve: Curve): IntentScope {
  const chain = chainByHandle(intent.chain)
  if (!chain) throw new NetworkError('chain_unsupported', 'The chain is unknown.')
  if (chain.curve !== curve) throw invalidRequest(`${chain.handle} does not sign with ${curve}.`)
  const network = networks[chain.network]
  switch (intent.kind) {
    case 'message':
      if (intent.network !== chain.network) throw invalidRequest('The message is for another network.')
      refuseForeignFields(intent, network)
      break
    case 'transaction':
      if (intent.network !== chain.network) throw invalidPayload('The transaction is of another network.')
      if (intent.signMode !== undefined && !network.aminoTransactions)
        throw invalidRequest(`${chain.handle} has no sign mode ${intent.signMode}.`)
      break
    case 'hash':
      if (curve !== 'secp256k1') throw invalidRequest('A bare hash is signed with secp256k1 only.')
      break
    default:
      if (chain.network !== 'evm') throw invalidRequest(`${chain.handle} has no ${intent.kind}.`)
  }
  return { chain, network }
}

function refuseForeignFields(intent: MessageIntent, { messageFields, name }: Network): void {
  const { scheme, applicationDomain, nonce, recipient, callbackUrl, smartAccount } = intent
  if (smartAccount !== undefined && name !== 'evm') throw invalidRequest(`${name} has no smart accounts.`)
  if (
    (scheme !== undefined && !messageFields.includes('scheme')) ||
    (applicationDomain !== undefined && !messageFields.includes('applicationDomain')) ||
    (nonce !== undefined && !messageFields.includes('nonce')) ||
    (recipient !== undefined && !messageFields.includes('recipient')) ||
    (callbackUrl !== undefined && !messageFields.includes('callbackUrl'))
  ) {
    throw invalidRequest(`A message on ${name} does not have one of the given fields.`)
  }
}
