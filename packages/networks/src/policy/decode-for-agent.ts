import { concat } from '../codec/concat.ts'
import { readOperation } from '../evm/policy/operation.ts'
import { readTypedData } from '../evm/policy/typed-data.ts'
import { signingAddress } from '../evm/smart-account-intent.ts'
import type { MessageIntent } from '../intent/intent.ts'
import { unlessRefused } from '../network-error.ts'
import type { Payload } from '../payload.ts'
import { signingDigests } from '../signing-digests.ts'
import type { AgentDecoded, AgentTrap, StoredOperation } from './agent-decoded.ts'
import { type AgentEffects, effectsMax, noEffects } from './agent-effects.ts'
import { isKeyText } from './key-text.ts'
import { isHashMessage, isOrderMessage, isTransactionMessage } from './message-trap.ts'
import { policyChains } from './policy-chains.ts'
import { readSignIn } from './sign-in.ts'

/**
 * Takes a payload apart for the policy of an agent. `operation` is what a hash stands for, if the caller knows: it counts
 * only where its own hash is the one that is signed. What is understood but must never be signed for an agent, or is not understood, is a
 * `trap`. A bare hash has the trap `raw_hash_not_allowed`, the only one that an organization can lift, and no effects.
 */
export function decodeForAgent(payload: Payload, operation?: StoredOperation): AgentDecoded {
  const { intent, networks, scope } = payload
  const { chain } = scope
  const read = bounded(effectsOf(payload, operation))
  const decoded = { chain, chains: policyChains(networks, chain), ...read }
  const name = () => namesOf(payload)
  if (intent.kind !== 'message' || read.trap === null) return { ...decoded, ...name() }
  // What is refused may be a message that its network does not even sign.
  const { message } = intent
  return { ...decoded, ...(unlessRefused(name) ?? { payload: message, signed: [], digests: message }) }
}

/** What does more than a policy looks at is refused, and told by the first of it. */
function bounded(read: AgentEffects): AgentEffects {
  if (read.effects.length <= effectsMax) return read
  return { ...read, effects: read.effects.slice(0, effectsMax), trap: read.trap ?? 'payload_undecodable' }
}

function namesOf(payload: Payload): Pick<AgentDecoded, 'payload' | 'signed' | 'digests'> {
  const signed = signingDigests(payload)
  const [{ payload: first }, ...others] = signed
  return {
    payload: bytesOf(payload),
    signed,
    digests: others.length === 0 ? first : concat(first, ...others.map((digest) => digest.payload)),
  }
}

function effectsOf(payload: Payload, operation: StoredOperation | undefined): AgentEffects {
  const { intent, network, scope, transaction, typedData } = payload
  // Nothing with unknown effects is signed for an agent.
  if (transaction) return network.policy?.effects(transaction.parsed) ?? trapped('payload_undecodable')
  if (typedData) return readTypedData(typedData, 'smartAccount' in intent, scope)
  switch (intent.kind) {
    case 'message': {
      if (isTransactionMessage(intent, payload) || isOrderMessage(intent, payload))
        return trapped('message_is_transaction')
      if (!isHashMessage(intent.message)) return readText(intent, scope)
      const known = intent.smartAccount ? undefined : readOperation(intent.message, scope, operation)
      return known ?? trapped('message_is_transaction')
    }
    case 'user_operation':
      return readOperation(intent.hash, scope, operation) ?? trapped('payload_undecodable')
    case 'hash':
      return trapped('raw_hash_not_allowed')
    default:
      return trapped('authorization_not_allowed')
  }
}

/**
 * Bytes that are no text are read as far as they are one: who verifies them may do so too. What is signed beside the message is text as well,
 * and the message of Aptos may go on in its nonce.
 */
function readText(intent: MessageIntent, { address }: Payload['scope']): AgentEffects {
  const { nonce, recipient, callbackUrl } = intent
  const text = new TextDecoder().decode(intent.message)
  const beside = [nonce, recipient, callbackUrl].filter((part) => typeof part === 'string')
  if (isKeyText([text, ...beside])) return trapped('message_not_allowed')
  const signer = signingAddress(intent, address)
  const signIn = [text, ...beside]
    .map((part) => readSignIn(part, signer))
    .find((found) => found !== undefined)
  return signIn === undefined ? noEffects : { ...noEffects, signIn }
}

function trapped(trap: AgentTrap): AgentEffects {
  return { ...noEffects, trap }
}

function bytesOf(payload: Payload): Uint8Array {
  const { intent } = payload
  if (intent.kind === 'transaction') return intent.bytes
  return intent.kind === 'hash' ? intent.hash : payload.signedPayload()
}
