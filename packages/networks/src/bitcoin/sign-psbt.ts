import { toBase64 } from '../codec/base64.ts'
import { concat, join } from '../codec/concat.ts'
import { toHex, toHex0x } from '../codec/hex.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { EncodedSignature, RawSignature } from '../signature.ts'
import { encodePsbt, fieldOf, type Psbt, type PsbtField, type PsbtMap, withField } from './psbt.ts'
import { encodeBody, transactionId } from './raw-transaction.ts'
import type { Spend } from './spend.ts'
import { ecdsaWithHashType, encodeWitness, schnorrWithHashType } from './witness.ts'

/** What a signed PSBT answers; without `transaction_hash` where others have yet to sign. */
type SignedSpend = EncodedSignature & { signed_transaction: string; transaction_hash?: string }

/** The field of an input that its signature goes into, and the witness that it makes. */
type InputSignature = { field: PsbtField; witness: Uint8Array }

const noBytes = new Uint8Array(0)
/** Marker and flag of a transaction with witnesses (BIP-144). */
const marker = Uint8Array.of(0, 1)
const tapKeySignature = Uint8Array.of(0x13)

/**
 * Takes the signatures, one for each input that the wallet signs, in their order. Where all inputs are complete, the
 * answer is the finalized transaction (0x hex) and its id, otherwise the PSBT (base64) with the signatures in it.
 */
export function signSpend(
  spend: Spend,
  publicKey: Uint8Array,
  signatures: readonly RawSignature[],
): SignedSpend {
  const own = inputSignatures(spend, publicKey, signatures)
  const [first = { signature: noBytes, recovery: 0 }] = signatures
  const witness = own.find((entry) => entry !== undefined)?.witness ?? noBytes
  const answer: EncodedSignature = {
    ...encodeCompact({ ...first, publicKey }),
    signature: toBase64(witness),
    encoding: 'base64',
  }
  const isComplete = spend.inputs.every(({ isFinal, isSigned }) => isFinal || isSigned)
  if (isComplete) return { ...answer, ...finalize(spend, own) }
  return { ...answer, signed_transaction: toBase64(encodePsbt(withSignatures(spend.psbt, own))) }
}

function inputSignatures(
  { inputs }: Spend,
  publicKey: Uint8Array,
  signatures: readonly RawSignature[],
): (InputSignature | undefined)[] {
  const left = signatures.values()
  return inputs.map(({ isSigned, owner, hashType }) => {
    const raw = isSigned ? left.next().value : undefined
    if (raw === undefined) return undefined
    if (owner === 'p2tr') {
      const value = schnorrWithHashType(raw.signature, hashType)
      return { field: { key: tapKeySignature, value }, witness: encodeWitness(value) }
    }
    const value = ecdsaWithHashType(raw.signature)
    const key = concat(Uint8Array.of(2), publicKey)
    return { field: { key, value }, witness: encodeWitness(value, publicKey) }
  })
}

function finalize(
  { psbt, transaction }: Spend,
  own: readonly (InputSignature | undefined)[],
): { signed_transaction: string; transaction_hash: string } {
  const { version, outputs, lockTime } = transaction
  const inputs = transaction.inputs.map((input, index) => ({
    ...input,
    script: fieldOf(psbt.inputs[index] ?? [], 7) ?? noBytes,
  }))
  const body = encodeBody(inputs, outputs)
  const witnesses = psbt.inputs.map((map, index) => own[index]?.witness ?? fieldOf(map, 8) ?? encodeWitness())
  return {
    signed_transaction: toHex0x(join([version, marker, body, ...witnesses, lockTime])),
    transaction_hash: toHex(transactionId({ version, body, lockTime }).reverse()),
  }
}

function withSignatures(psbt: Psbt, own: readonly (InputSignature | undefined)[]): Psbt {
  const inputs = psbt.inputs.map((map, index) => {
    const field = own[index]?.field
    return field === undefined ? map : withField(map, field)
  })
  return { ...psbt, global: withoutChanges(psbt.global), inputs }
}

/** BIP-370: a signature with ALL commits to all inputs and outputs, so that none can be added any more. */
function withoutChanges(global: PsbtMap): PsbtMap {
  const key = Uint8Array.of(6)
  const flags = fieldOf(global, 6)?.[0]
  return flags === undefined ? global : withField(global, { key, value: Uint8Array.of(flags & ~3) })
}
