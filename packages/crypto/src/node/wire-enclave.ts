import { uuidFromBytes } from '../uuid.ts'
import type { EnvelopeContext } from './envelope-context.ts'
import {
  expectEnd,
  readBytes16,
  readBytes32,
  readFixed,
  readText,
  readU8,
  readU32,
  WireError,
  type WireReader,
  type WireWriter,
  writeBytes16,
  writeBytes32,
  writeFixed,
  writeText,
  writeU8,
  writeU32,
  writeUuid,
} from './wire.ts'
import type { WrappedKey } from './wrapped-key.ts'

/** Operations of the enclave by their byte on the wire (packages/enclave/SPEC.md, "Operations"). */
export const enclaveOps = {
  status: 1,
  generate: 2,
  sign: 3,
  rewrap: 4,
  export: 7,
  importKey: 8,
  import: 9,
  grant: 10,
  evaluate: 11,
  agentSign: 12,
  effective: 13,
  attest: 14,
  signWithReceipt: 15,
  agentSignWithReceipt: 16,
  note: 17,
  takeMarks: 18,
  loadMarks: 19,
  operator: 20,
} as const
/** The name of an operation. */
export type EnclaveOp = keyof typeof enclaveOps

/** Outcomes of an operation by their byte on the wire; every answer but `ok` has an empty body. */
export const enclaveStatuses = {
  ok: 0,
  invalid_payload: 1,
  key_mismatch: 2,
  refused: 3,
  unavailable: 4,
  expired: 5,
  unknown_key: 6,
  rolled_back_session: 7,
  rolled_back_policy: 8,
  rolled_back_rules: 9,
  rolled_back_wallet: 10,
  rolled_back_budget: 11,
  rolled_back_boot: 12,
} as const
/** The name of an outcome. */
export type EnclaveStatus = keyof typeof enclaveStatuses

/** Phases of the enclave, by their byte on the wire. */
export const enclavePhases = ['boot', 'attested', 'serving', 'sealed', 'loading'] as const
/** The name of a phase. */
export type EnclavePhase = (typeof enclavePhases)[number]

/** The curve of a wallet's key (`Curve` of @symbolon/networks, which this package may not import). */
export type EnclaveCurve = 'secp256k1' | 'ed25519'

/** The wallet that an operation is for: ids are canonical UUIDs. */
export type WalletFields = { organizationId: string; walletId: string; polynomialVersion: number }

/**
 * A request as the enclave reads it: `row` is the wallet's 36 bytes of the wire (organization id, wallet id, polynomial
 * version), exactly what its envelopes are bound to. All byte fields are views that must not be kept.
 */
export type Received<request extends WalletFields> = Omit<request, keyof WalletFields> & { row: Uint8Array }

/** Length of `row`, in bytes: two ids of 16, `u32` polynomial version. */
export const rowBytes = 36

/** Make a key; `dataKeyB` (32 bytes) seals share B and is what `wrappedKeyB` wraps. */
export type GenerateRequest = WalletFields & {
  curve: EnclaveCurve
  dataKeyB: Uint8Array
  wrappedKeyB: WrappedKey
}

/** The new public key (33 or 32 bytes), both share envelopes, and the id of the key ring that sealed share A. */
export type GenerateAnswer = {
  publicKey: Uint8Array
  shareA: Uint8Array
  shareB: Uint8Array
  ringId: string
}

/** Sign `intent` (`encodeIntent` of @symbolon/networks) with the key that both share envelopes make. */
export type SignRequest = WalletFields & {
  curve: EnclaveCurve
  publicKey: Uint8Array
  shareA: Uint8Array
  shareB: Uint8Array
  dataKeyB: Uint8Array
  intent: Uint8Array
}

/** 64 bytes r‖s, BIP-340 or ed25519, and the recovery id (0..3; 0 unless ECDSA). */
export type SignatureAnswer = { signature: Uint8Array; recovery: number }

/** One signature for each digest of the intent, in their order: 1 to `signaturesMax`. */
export type SignAnswer = [SignatureAnswer, ...SignatureAnswer[]]

/** The most signatures that one intent takes: the inputs of one transaction. */
export const signaturesMax = 256

/** Put share A under the newest version of the tee-a key. */
export type RewrapRequest = WalletFields & { shareA: Uint8Array }

/** What an enclave says of its key ring: its id, and its newest version from 1; null and 0 while no ring is open. */
export type RingState = { ringId: string | null; keyVersionA: number }

/** `signers` names the secp256k1 library in use; `hasUnstoredMarks` says whether `takeMarks` has something for the database. */
export type StatusAnswer = RingState & { phase: EnclavePhase; signers: string; hasUnstoredMarks: boolean }

const curves: readonly EnclaveCurve[] = ['secp256k1', 'ed25519']
const dataKeyBytes = 32
const signatureBytes = 64

/** Appends a curve. */
export function writeCurve(writer: WireWriter, curve: EnclaveCurve): void {
  writeU8(writer, curves.indexOf(curve))
}

/** Reads a curve. */
export function readCurve(reader: WireReader): EnclaveCurve {
  return pick(curves, readU8(reader))
}

/** Appends the data key that is to seal share B, and its wrapped form. */
export function writeDataKeyB(
  writer: WireWriter,
  { dataKeyB, wrappedKeyB }: Pick<GenerateRequest, 'dataKeyB' | 'wrappedKeyB'>,
): void {
  if (dataKeyB.length !== dataKeyBytes) throw new WireError('data key is not 32 bytes')
  writeFixed(writer, dataKeyB)
  writeText(writer, wrappedKeyB.purpose)
  writeText(writer, wrappedKeyB.keyId)
  writeU32(writer, wrappedKeyB.keyVersion)
  writeBytes16(writer, wrappedKeyB.wrapped)
}

/** Reads what `writeDataKeyB` appends. */
export function readDataKeyB(reader: WireReader): Pick<GenerateRequest, 'dataKeyB' | 'wrappedKeyB'> {
  const dataKeyB = readFixed(reader, dataKeyBytes)
  if (readText(reader) !== 'tee-b') throw new WireError('wrapped key is not of purpose tee-b')
  const keyId = readText(reader)
  const keyVersion = readU32(reader)
  const wrapped = readBytes16(reader)
  return { dataKeyB, wrappedKeyB: { purpose: 'tee-b', keyId, keyVersion, wrapped } }
}

function pick<const T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new WireError('unknown value')
  return value
}

/** The envelope context of one of the two TEE shares of a wallet: x = 1 is tee-a, x = 2 is tee-b. */
export function teeContext(wallet: WalletFields, purpose: 'tee-a' | 'tee-b'): EnvelopeContext {
  return {
    organizationId: wallet.organizationId,
    walletId: wallet.walletId,
    purpose,
    shareIndex: purpose === 'tee-a' ? 1 : 2,
    polynomialVersion: wallet.polynomialVersion,
  }
}

/** The context of a TEE share of the wallet that `row` names. */
export function rowContext(row: Uint8Array, purpose: 'tee-a' | 'tee-b'): EnvelopeContext {
  const organizationId = uuidFromBytes(row.subarray(0, 16))
  const walletId = uuidFromBytes(row.subarray(16, 32))
  const polynomialVersion = new DataView(row.buffer, row.byteOffset).getUint32(32)
  return teeContext({ organizationId, walletId, polynomialVersion }, purpose)
}

/** Appends the 36 bytes of a wallet. */
export function writeWallet(writer: WireWriter, wallet: WalletFields): void {
  writeUuid(writer, wallet.organizationId)
  writeUuid(writer, wallet.walletId)
  writeU32(writer, wallet.polynomialVersion)
}

/** Appends the body of a `generate` request. */
export function writeGenerateRequest(writer: WireWriter, request: GenerateRequest): void {
  writeWallet(writer, request)
  writeCurve(writer, request.curve)
  writeDataKeyB(writer, request)
}

/** Reads the body of a `generate` request. */
export function readGenerateRequest(reader: WireReader): Received<GenerateRequest> {
  const row = readFixed(reader, rowBytes)
  const curve = readCurve(reader)
  const keys = readDataKeyB(reader)
  expectEnd(reader)
  return { row, curve, ...keys }
}

/** Appends the body of a `generate` answer. */
export function writeGenerateAnswer(writer: WireWriter, answer: GenerateAnswer): void {
  writeBytes16(writer, answer.publicKey)
  writeBytes16(writer, answer.shareA)
  writeBytes16(writer, answer.shareB)
  writeText(writer, answer.ringId)
}

/** Reads the body of a `generate` answer into copies of its own. */
export function readGenerateAnswer(reader: WireReader): GenerateAnswer {
  const answer = {
    publicKey: Uint8Array.from(readBytes16(reader)),
    shareA: Uint8Array.from(readBytes16(reader)),
    shareB: Uint8Array.from(readBytes16(reader)),
    ringId: readText(reader),
  }
  expectEnd(reader)
  return answer
}

/** Appends the body of a `sign` request. */
export function writeSignRequest(writer: WireWriter, request: SignRequest): void {
  if (request.dataKeyB.length !== dataKeyBytes) throw new WireError('data key is not 32 bytes')
  writeWallet(writer, request)
  writeCurve(writer, request.curve)
  writeFixed(writer, request.dataKeyB)
  writeBytes16(writer, request.publicKey)
  writeBytes16(writer, request.shareA)
  writeBytes16(writer, request.shareB)
  writeBytes32(writer, request.intent)
}

/** Reads the body of a `sign` request. */
export function readSignRequest(reader: WireReader): Received<SignRequest> {
  const row = readFixed(reader, rowBytes)
  const curve = readCurve(reader)
  const dataKeyB = readFixed(reader, dataKeyBytes)
  const publicKey = readBytes16(reader)
  const shareA = readBytes16(reader)
  const shareB = readBytes16(reader)
  const intent = readBytes32(reader)
  expectEnd(reader)
  return { row, curve, dataKeyB, publicKey, shareA, shareB, intent }
}

/** Appends the body of a `sign` answer. */
export function writeSignAnswer(writer: WireWriter, answer: SignAnswer): void {
  for (const { recovery, signature } of answer) {
    writeU8(writer, recovery)
    writeFixed(writer, signature)
  }
}

/** Reads the body of a `sign` answer into copies of its own. */
export function readSignAnswer(reader: WireReader): SignAnswer {
  const answer: SignAnswer = [readSignature(reader)]
  while (reader.offset < reader.end) {
    if (answer.length === signaturesMax) throw new WireError('too many signatures')
    answer.push(readSignature(reader))
  }
  return answer
}

function readSignature(reader: WireReader): SignatureAnswer {
  const recovery = readU8(reader)
  return { signature: new Uint8Array(readFixed(reader, signatureBytes)), recovery }
}

/** Appends the body of a `rewrap` request. */
export function writeRewrapRequest(writer: WireWriter, request: RewrapRequest): void {
  writeWallet(writer, request)
  writeBytes16(writer, request.shareA)
}

/** Reads the body of a `rewrap` request. */
export function readRewrapRequest(reader: WireReader): Received<RewrapRequest> {
  const request = { row: readFixed(reader, rowBytes), shareA: readBytes16(reader) }
  expectEnd(reader)
  return request
}

/** Appends the state of the ring: `text ringId` (empty: none), `u32 keyVersionA`. */
export function writeRingState(writer: WireWriter, { ringId, keyVersionA }: RingState): void {
  writeText(writer, ringId ?? '')
  writeU32(writer, keyVersionA)
}

/** Reads the state of the ring. */
export function readRingState(reader: WireReader): RingState {
  const ringId = readText(reader)
  return { ringId: ringId === '' ? null : ringId, keyVersionA: readU32(reader) }
}

/** Appends the body of a `status` answer. */
export function writeStatusAnswer(writer: WireWriter, answer: StatusAnswer): void {
  writeU8(writer, enclavePhases.indexOf(answer.phase))
  writeRingState(writer, answer)
  writeText(writer, answer.signers)
  writeU8(writer, answer.hasUnstoredMarks ? 1 : 0)
}

/** Reads the body of a `status` answer. */
export function readStatusAnswer(reader: WireReader): StatusAnswer {
  const phase = pick(enclavePhases, readU8(reader))
  const ring = readRingState(reader)
  const answer = { phase, ...ring, signers: readText(reader), hasUnstoredMarks: readU8(reader) === 1 }
  expectEnd(reader)
  return answer
}
