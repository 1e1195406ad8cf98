import { hash } from 'node:crypto'
import type { ReceiptBudget, ReceiptDecision, ReceiptEffect } from '@symbolon/crypto/attestation'
import type { SignAnswer } from '@symbolon/crypto/node'
import {
  assembleAnswer,
  type NonEmpty,
  type Payload,
  preview,
  type SignIntent,
  type SigningDigest,
} from '@symbolon/networks'
import type { ReceiptFacts } from './receipt-json.ts'
import type { Vault, WalletShares } from './vault.ts'

/** What a payload does, as a receipt has it. */
export type ReceiptEffects = Pick<ReceiptFacts, 'effects' | 'fee'>

/** What a signature was made of and allowed by. */
export type SignedPayload = {
  payload: Payload
  digests: NonEmpty<SigningDigest>
  signatures: SignAnswer
  shown: ReceiptEffects
  decision: ReceiptDecision
  budget: readonly ReceiptBudget[] | null
}

/** The decision behind a signature that its owner asked for: nothing but the owner decided. */
export const noDecision: ReceiptDecision = {
  layers: { organization: null, wallet: null, agent: null, session: null },
  policy_version: null,
  authorization_sha256: null,
  approval_sha256: null,
}

const unknownEffect: ReceiptEffect = { kind: 'unknown', asset: null, amount: null, to: null }

/** What a payload does, decoded from the very bytes that are signed: the actions and the fee of its `decoded_preview`. */
export function receiptEffects(payload: Payload): ReceiptEffects {
  const { actions, fee } = preview(payload)
  // What the preview says of a hash is what it is called, not what it does.
  if (isBare(payload.intent)) return { effects: [unknownEffect], fee: null }
  return { effects: actions.map(({ kind, asset, amount, to }) => ({ kind, asset, amount, to })), fee }
}

const isBare = ({ kind }: SignIntent): boolean => kind === 'hash' || kind === 'user_operation'

/** What a receipt says of signatures that were made. */
export function receiptFacts(
  { ring }: { ring: Pick<Vault['ring'], 'id'> },
  { row, curve, publicKey }: Pick<WalletShares, 'row' | 'curve' | 'publicKey'>,
  { payload, digests, signatures, shown, decision, budget }: SignedPayload,
): ReceiptFacts {
  const { intent, network } = payload
  const ids = hexOf(row.subarray(0, 32))
  return {
    organization_id: uuidOf(ids, 0),
    wallet_id: uuidOf(ids, 32),
    public_key: `0x${hexOf(publicKey)}`,
    curve,
    network: network.name,
    chain: intent.chain,
    type: intent.kind,
    digests: digests.map(({ payload: signed }) =>
      curve === 'ed25519' ? hash('sha256', signed, 'hex') : hexOf(signed),
    ),
    signature: assembleAnswer(payload, signatures).signature,
    signatures: signatures.map(({ signature }) => hexOf(signature)),
    ...shown,
    decision,
    budget,
    ring_id: ring.id,
  }
}

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

/** The UUID of 32 hex digits from `at`. */
const uuidOf = (digits: string, at: number): string =>
  `${digits.slice(at, at + 8)}-${digits.slice(at + 8, at + 12)}-${digits.slice(at + 12, at + 16)}-${digits.slice(at + 16, at + 20)}-${digits.slice(at + 20, at + 32)}`
