import type { ReceiptBudget, ReceiptDecision } from '@symbolon/crypto/attestation'
import { layersBytesMax, type ReceivedAgentSign } from '@symbolon/crypto/node'
import { decodeForAgent, type Payload, preview, withOperationFee } from '@symbolon/networks'
import type { Spend } from '@symbolon/policy'
import { EnclaveFault } from './enclave-fault.ts'
import { noDecision, type ReceiptEffects, receiptEffects } from './receipt-of.ts'
import { storedOperation } from './stored-operation.ts'

const amountForm = /^(?:0|[1-9]\d{0,77})$/

/**
 * What an allowed payload does. Of an operation whose hash is the one that is signed, that is what its calls do, as policies read them, and
 * what the account pays at most; of anything else what is in the bytes.
 */
export function agentEffects(payload: Payload, operation: string): ReceiptEffects {
  const { kind } = payload.intent
  if (operation === '' || (kind !== 'user_operation' && kind !== 'message')) return receiptEffects(payload)
  const stored = storedOperation(operation)
  const { effects } = decodeForAgent(payload, stored)
  const { fee } = withOperationFee(preview(payload), payload, stored)
  return {
    effects: effects.map((effect) => ({
      kind: effect.kind,
      asset: effect.asset,
      amount: effect.amount?.toString() ?? null,
      to: effect.to,
    })),
    fee,
  }
}

/**
 * What a session's signature was decided by. The session's version is sealed with its policy; those of the layers above are the database's,
 * which the enclave cannot know, and says nothing of.
 */
export function agentDecision({ context }: Pick<ReceivedAgentSign, 'context'>): ReceiptDecision {
  const version = policyVersionOf(context)
  return { ...noDecision, layers: { ...noDecision.layers, session: version }, policy_version: version }
}

/** `session` on the wire: 36 bytes of the wallet, 16 of the session's id, then the version of its policy. */
function policyVersionOf(context: Uint8Array): number {
  return new DataView(context.buffer, context.byteOffset, context.byteLength).getUint32(36 + 16)
}

/** What the sums were without a signature, by counter: JSON of pairs. Throws `EnclaveFault('invalid_payload')` on anything else. */
export function spentBeforeOf(json: string): ReadonlyMap<string, bigint> {
  const malformed = () => new EnclaveFault('invalid_payload', 'the sums are malformed')
  if (json.length > layersBytesMax) throw malformed()
  const rows = parsed(json)
  if (!Array.isArray(rows)) throw malformed()
  const sums = new Map<string, bigint>()
  for (const row of rows) {
    const [counter, amount, ...rest] = Array.isArray(row) ? row : []
    if (typeof counter !== 'string' || typeof amount !== 'string' || rest.length > 0) throw malformed()
    if (!amountForm.test(amount) || sums.has(counter)) throw malformed()
    sums.set(counter, BigInt(amount))
  }
  return sums
}

/** One row for each asset that a signature spends: the sum before it is the database's, what is added was decoded here. */
export function agentBudget(
  spends: readonly Spend[],
  spentBefore: ReadonlyMap<string, bigint>,
): readonly ReceiptBudget[] {
  return spends
    .filter(({ counter }) => counter !== 'transactions')
    .map(({ counter, asset, amount }) => {
      const before = spentBefore.get(counter) ?? 0n
      return { asset, spent_before: String(before), spent_after: String(before + amount) }
    })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
