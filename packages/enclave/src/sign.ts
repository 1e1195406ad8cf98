import {
  type ReceiptAnswer,
  type Received,
  type SignAnswer,
  type SignRequest,
  signaturesMax,
} from '@symbolon/crypto/node'
import {
  decodeIntent,
  type NonEmpty,
  type Payload,
  parsePayload,
  type SigningDigest,
  signingDigests,
} from '@symbolon/networks'
import { EnclaveFault, IntegrityFault } from './enclave-fault.ts'
import type { ReceiptIssuer } from './receipt-issuer.ts'
import { noDecision, receiptEffects, receiptFacts } from './receipt-of.ts'
import type { Slot } from './secure-slots.ts'
import { rebuildKey, type Vault, type WalletShares } from './vault.ts'

type Digests = NonEmpty<SigningDigest>

/**
 * `signDigests` of a request's intent, derived from it here. Throws `NetworkError` on one that does not decode, `EnclaveFault` on a wallet that was
 * archived.
 */
export function sign(vault: Vault, request: Received<SignRequest>): SignAnswer {
  vault.marks.assertActive(request.row)
  return signDigests(vault, signingDigests(payloadOf(vault, request)), request)
}

/** `sign` with a receipt. Whatever could keep the receipt from being issued is looked at before a share is opened. */
export function signWithReceipt(
  vault: Vault,
  receipts: ReceiptIssuer,
  request: Received<SignRequest>,
): ReceiptAnswer {
  const organization = organizationOf(request)
  receipts.assertCountable(organization)
  vault.marks.assertActive(request.row)
  const payload = payloadOf(vault, request)
  const digests = signingDigests(payload)
  const shown = receiptEffects(payload)
  const signatures = signDigests(vault, digests, request)
  const signed = { payload, digests, signatures, shown, decision: noDecision, budget: null }
  return { signatures, receipt: receipts.issue(organization, receiptFacts(vault, request, signed)) }
}

/** The payload of a request's intent, parsed for its wallet. */
export function payloadOf(
  { networks, addressesOf }: Vault,
  { intent, curve, publicKey }: Pick<SignRequest, 'intent' | 'curve' | 'publicKey'>,
): Payload {
  return parsePayload(networks, decodeIntent(networks, intent), curve, publicKey, { addressesOf })
}

/** The organization's id in the row of a request, 16 bytes. */
export const organizationOf = ({ row }: { row: Uint8Array }): Uint8Array => row.subarray(0, 16)

/**
 * Signs digests that the enclave derived from an intent with a wallet's key, in their order. The key is proven to be the wallet's before
 * it signs, and every signature is verified before any leaves. Throws `EnclaveFault('invalid_payload')` on more than
 * `signaturesMax` digests, `IntegrityFault` on a signature that does not verify, and what `rebuildKey` throws.
 */
export function signDigests(vault: Vault, digests: Digests, request: WalletShares): SignAnswer {
  if (digests.length > signaturesMax) throw new EnclaveFault('invalid_payload', 'too many signatures')
  const key = vault.slots.take()
  const work = vault.slots.take()
  let answer: SignAnswer
  try {
    rebuildKey(vault, request, key, work)
    answer = signAll(vault, request, digests, key, work)
  } finally {
    vault.slots.give(work)
    vault.slots.give(key)
  }
  verifyAnswer(vault, request, digests, answer)
  return answer
}

function signAll(
  { slots, signers, taproot }: Vault,
  { curve, publicKey }: WalletShares,
  digests: Digests,
  key: Slot,
  work: Slot,
): SignAnswer {
  const signer = signers[curve]
  const tweaked = digests.some(isTaproot) ? slots.take() : undefined
  try {
    if (tweaked) taproot.tweak(key.key, publicKey, tweaked.key)
    const signOne = (digest: SigningDigest) =>
      tweaked && isTaproot(digest)
        ? taproot.sign(digest.payload, tweaked.key)
        : signer.sign(digest.payload, key.key, work.full)
    const [first, ...rest] = digests
    return [signOne(first), ...rest.map(signOne)]
  } finally {
    if (tweaked) slots.give(tweaked)
  }
}

function verifyAnswer(
  { signers, taproot }: Vault,
  { curve, publicKey }: WalletShares,
  digests: Digests,
  answer: SignAnswer,
): void {
  const signer = signers[curve]
  const outputKey = digests.some(isTaproot) ? taproot.outputKey(publicKey) : publicKey
  const isGood = digests.every((digest, index) => {
    const signature = answer[index]?.signature
    if (signature === undefined) return false
    return isTaproot(digest)
      ? taproot.verify(digest.payload, signature, outputKey)
      : signer.verify(digest.payload, signature, publicKey)
  })
  if (!isGood) throw new IntegrityFault('a signature does not verify')
}

function isTaproot({ scheme }: SigningDigest): boolean {
  return scheme === 'taproot'
}
