import { hash } from 'node:crypto'
import type { Receipt } from '@symbolon/crypto/attestation'

/** What a receipt says beside what its issuer knows. */
export type ReceiptFacts = Omit<
  Receipt,
  'version' | 'mode' | 'receipt_id' | 'counter' | 'issued_at' | 'effects_sha256'
>

/** A receipt's payload as JSON; `effects_sha256` commits to the RFC 8785 form of the effects, which is the one that they have in it. */
export function receiptJson({
  mode,
  receiptId,
  counter,
  issuedAt,
  facts,
}: {
  mode: Receipt['mode']
  receiptId: string
  counter: number
  issuedAt: number
  facts: ReceiptFacts
}): string {
  // Members in the order of their names, texts well-formed: what JSON.stringify makes of that is canonical.
  const effects = facts.effects.map(({ amount, asset, kind, to }) => ({
    amount,
    asset: asset?.toWellFormed() ?? null,
    kind,
    to: to?.toWellFormed() ?? null,
  }))
  const receipt: Receipt = {
    version: 1,
    mode,
    receipt_id: receiptId,
    organization_id: facts.organization_id,
    wallet_id: facts.wallet_id,
    public_key: facts.public_key,
    curve: facts.curve,
    network: facts.network,
    chain: facts.chain,
    type: facts.type,
    digests: facts.digests,
    signature: facts.signature,
    signatures: facts.signatures,
    effects,
    effects_sha256: hash('sha256', JSON.stringify(effects), 'hex'),
    fee: facts.fee,
    decision: facts.decision,
    budget: facts.budget,
    ring_id: facts.ring_id,
    counter,
    issued_at: new Date(issuedAt).toISOString(),
  }
  return JSON.stringify(receipt)
}
