import { hash } from 'node:crypto'
import type { ReceivedSigningRequest } from '@symbolon/crypto/node'
import {
  type Chain,
  decodeForAgent,
  decodeIntent,
  isHashMessage,
  type Networks,
  parsePayload,
  type SignIntent,
  type SigningDigest,
} from '@symbolon/networks'
import { type Decision, evaluate, methodOf, PolicyError } from '@symbolon/policy'
import type { SessionPolicy } from './agent-policies.ts'
import { EnclaveFault } from './enclave-fault.ts'
import { openGrant } from './grant-envelope.ts'
import { storedOperation } from './stored-operation.ts'
import type { Vault } from './vault.ts'

/**
 * What a signing request is evaluated to be, and what of it would be signed, derived from the intent that was evaluated; `endsAtMs` is the session's
 * own end.
 */
export type EvaluatedRequest = {
  decision: Decision
  digests: readonly SigningDigest[]
  endsAtMs: number | null
  /** When the first of all layers is over, since 1970 (null: none ever is). */
  expiresAtMs: number | null
}

/**
 * Evaluates a signing request by its grant, on the decoded bytes that would be signed. With `dataKeyB` (32 bytes of locked memory) the grant's
 * data key is opened into it, whatever the decision. Throws `EnvelopeError` where the grant does not open, `EnclaveFault('refused')` where
 * its layers or the current ones are not a policy, `EnclaveFault('expired')` at the end of its time by the later of the request's clock and the
 * enclave's own, what `FreshnessMarks.see` throws on an older state, `NetworkError` on an intent that does not decode.
 */
export function evaluateRequest(
  vault: Vault,
  request: ReceivedSigningRequest,
  dataKeyB?: Uint8Array,
): EvaluatedRequest {
  const { policy, endsAtMs } = policyOf(vault, request, openGrant(vault, request, dataKeyB))
  vault.marks.see(request, endsAtMs)
  vault.marks.assertActive(request.row)
  const { expiresAtMs } = policy
  assertRunning(vault, request, expiresAtMs)
  const { networks, addressesOf } = vault
  const intent = decodeIntent(networks, request.intent)
  const operation = request.operation === '' ? undefined : storedOperation(request.operation)
  let digests: readonly SigningDigest[] = []
  const decision = evaluate(policy, {
    method: methodOf(intent.kind, operation !== undefined && isHashOf(intent)),
    chain: chainOf(networks, intent),
    encoded: request.intent,
    decode() {
      const { curve, publicKey } = request
      const decoded = decodeForAgent(
        parsePayload(networks, intent, curve, publicKey, { addressesOf }),
        operation,
      )
      digests = decoded.signed
      return decoded
    },
    sha256,
    explain: request.explain,
  })
  // Who does not want the whole of it gets what is acted on.
  return {
    decision: request.explain ? decision : { ...decision, effects: [] },
    digests,
    endsAtMs,
    expiresAtMs,
  }
}

/** Throws `EnclaveFault('expired')` at and after `expiresAtMs`, by the later of the request's clock and the enclave's own. */
export function assertRunning(
  vault: Pick<Vault, 'nowMs'>,
  request: Pick<ReceivedSigningRequest, 'nowMs'>,
  expiresAtMs: number | null,
): void {
  if (expiresAtMs !== null && expiresAtMs <= Math.max(request.nowMs, vault.nowMs())) {
    throw new EnclaveFault('expired', 'the time of the session is over')
  }
}

// What was sealed was a policy once, and what is stored has to be one: if either cannot be read, the request is not at fault.
function policyOf(
  { policies }: Vault,
  { row, current }: ReceivedSigningRequest,
  sealed: Uint8Array,
): SessionPolicy {
  try {
    return policies.of(row, sealed, current)
  } catch (error) {
    if (error instanceof PolicyError) throw new EnclaveFault('refused', error.message)
    throw error
  }
}

// Else a message that has nothing to do with the operation would pass for a transaction.
const isHashOf = (intent: SignIntent): boolean => intent.kind === 'message' && isHashMessage(intent.message)

function chainOf(networks: Networks, intent: SignIntent): Chain {
  const chain = networks.chain(intent.chain)
  if (chain === undefined) throw new EnclaveFault('invalid_payload', 'unknown chain')
  return chain
}

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')
