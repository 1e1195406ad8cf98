import { concat } from '../codec/concat.ts'
import { readOperation } from '../evm/policy/operation.ts'
import { readTypedData } from '../evm/policy/typed-data.ts'
import type { SignIntent } from '../intent/intent.ts'
import { type IntentScope, intentScope } from '../intent-scope.ts'
import type { Curve } from '../network.ts'
import { unlessRefused } from '../network-error.ts'
import { signedPayload, signingDigests } from '../signing-digest.ts'
import { chainAddress } from '../wallet-addresses.ts'
import type { AgentDecoded, AgentTrap, StoredOperation } from './agent-decoded.ts'
import { type AgentEffects, noEffects } from './agent-effects.ts'
import { agentTransactions } from './agent-transactions.ts'
import { isHashMessage, isOrderMessage, isTransactionMessage } from './message-trap.ts'
import { policyChains } from './policy-chains.ts'

/**
 * Takes a payload apart for the policy of an agent. `operation` is what a hash stands for, if the caller knows: it counts
 * only where its own hash is the one that is signed. Bytes that are no payload of their kind are a `NetworkError`; what can be
 * told but must never be signed for an agent, or cannot be told, is a `trap`. A bare hash has the trap `raw_hash_not_allowed`,
 * the only one that an organization can lift, and no effects.
 */
export function decodeForAgent(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  operation?: StoredOperation,
): AgentDecoded {
  const scope = intentScope(intent, curve)
  const { chain } = scope
  const read = effectsOf(intent, scope, publicKey, operation)
  const decoded = { chain, chains: policyChains(chain), ...read }
  const name = () => namesOf(intent, scope, curve, publicKey)
  if (intent.kind !== 'message' || read.trap === null) return { ...decoded, ...name() }
  // What is refused may be a message that its network does not even sign.
  const { message } = intent
  return { ...decoded, ...(unlessRefused(name) ?? { payload: message, signed: [], digests: message }) }
}

function namesOf(
  intent: SignIntent,
  scope: IntentScope,
  curve: Curve,
  publicKey: Uint8Array,
): Pick<AgentDecoded, 'payload' | 'signed' | 'digests'> {
  const signed = signingDigests(intent, curve, publicKey)
  const [{ payload: first }, ...others] = signed
  return {
    payload: payloadOf(intent, scope, publicKey),
    signed,
    digests: others.length === 0 ? first : concat(first, ...others.map(({ payload }) => payload)),
  }
}

function effectsOf(
  intent: SignIntent,
  scope: IntentScope,
  publicKey: Uint8Array,
  operation: StoredOperation | undefined,
): AgentEffects {
  const { chain } = scope
  switch (intent.kind) {
    case 'transaction': {
      const read = agentTransactions[chain.network]
      return read(intent, {
        chain,
        publicKey,
        get address() {
          return chainAddress(chain, publicKey)
        },
      })
    }
    case 'message': {
      if (isTransactionMessage(intent, chain) || isOrderMessage(intent))
        return trapped('message_is_transaction')
      if (!isHashMessage(intent.message)) return noEffects
      const known = intent.smartAccount
        ? undefined
        : readOperation(intent.message, chain, publicKey, operation)
      return known ?? trapped('message_is_transaction')
    }
    case 'user_operation':
      return readOperation(intent.hash, chain, publicKey, operation) ?? trapped('payload_undecodable')
    case 'typed_data':
      return readTypedData(intent, chain, publicKey)
    case 'hash':
      return trapped('raw_hash_not_allowed')
    case 'authorization':
      return trapped('authorization_not_allowed')
  }
}

function trapped(trap: AgentTrap): AgentEffects {
  return { ...noEffects, trap }
}

function payloadOf(intent: SignIntent, scope: IntentScope, publicKey: Uint8Array): Uint8Array {
  if (intent.kind === 'transaction') return intent.bytes
  return intent.kind === 'hash' ? intent.hash : signedPayload(intent, scope, publicKey)
}
