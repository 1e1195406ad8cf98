import { uuidFromBytes } from '../uuid.ts'
import { p256PointBytes } from './hpke-p256.ts'
import {
  expectEnd,
  readBytes16,
  readFixed,
  WireError,
  type WireReader,
  type WireWriter,
  writeBytes16,
  writeFixed,
  writeUuid,
} from './wire.ts'
import {
  type EnclaveCurve,
  type GenerateRequest,
  type Received,
  readCurve,
  readDataKeyB,
  rowBytes,
  type SignRequest,
  type WalletFields,
  writeCurve,
  writeDataKeyB,
  writeWallet,
} from './wire-enclave.ts'

type Owned = WalletFields & { curve: EnclaveCurve; userIdentityId: string }

/** Seal the wallet's key to `recipient` (65 bytes, uncompressed P-256). */
export type ExportRequest = Owned & Omit<SignRequest, 'intent'> & { recipient: Uint8Array }

/** The encapsulated key (65 bytes), and ciphertext and tag of the key. */
export type ExportAnswer = { enc: Uint8Array; ciphertext: Uint8Array }

/** Offer this boot's import key for a wallet to come. */
export type ImportKeyRequest = Owned

/** The import key (65 bytes, uncompressed P-256) and the attestation document that binds it to the wallet. */
export type ImportKeyAnswer = { publicKey: Uint8Array; document: Uint8Array }

/** Open a key that was sealed to `importKey` and make a wallet of it; its answer is that of `generate`. */
export type ImportRequest = Owned & GenerateRequest & ExportAnswer & { importKey: Uint8Array }

const dataKeyBytes = 32

function writePoint(writer: WireWriter, point: Uint8Array): void {
  if (point.length !== p256PointBytes) throw new WireError('point is not 65 bytes')
  writeFixed(writer, point)
}

const readPoint = (reader: WireReader) => readFixed(reader, p256PointBytes)

function writeOwned(writer: WireWriter, request: Owned): void {
  writeWallet(writer, request)
  writeCurve(writer, request.curve)
  writeUuid(writer, request.userIdentityId)
}

function readOwned(reader: WireReader): Received<Owned> {
  const row = readFixed(reader, rowBytes)
  const curve = readCurve(reader)
  return { row, curve, userIdentityId: uuidFromBytes(readFixed(reader, 16)) }
}

/** Appends the body of an `export` request. */
export function writeExportRequest(writer: WireWriter, request: ExportRequest): void {
  if (request.dataKeyB.length !== dataKeyBytes) throw new WireError('data key is not 32 bytes')
  writeOwned(writer, request)
  writeFixed(writer, request.dataKeyB)
  writeBytes16(writer, request.publicKey)
  writeBytes16(writer, request.shareA)
  writeBytes16(writer, request.shareB)
  writePoint(writer, request.recipient)
}

/** Reads the body of an `export` request. */
export function readExportRequest(reader: WireReader): Received<ExportRequest> {
  const request = {
    ...readOwned(reader),
    dataKeyB: readFixed(reader, dataKeyBytes),
    publicKey: readBytes16(reader),
    shareA: readBytes16(reader),
    shareB: readBytes16(reader),
    recipient: readPoint(reader),
  }
  expectEnd(reader)
  return request
}

/** Appends the body of an `export` answer. */
export function writeExportAnswer(writer: WireWriter, answer: ExportAnswer): void {
  writePoint(writer, answer.enc)
  writeBytes16(writer, answer.ciphertext)
}

/** Reads the body of an `export` answer into copies of its own. */
export function readExportAnswer(reader: WireReader): ExportAnswer {
  const answer = {
    enc: Uint8Array.from(readPoint(reader)),
    ciphertext: Uint8Array.from(readBytes16(reader)),
  }
  expectEnd(reader)
  return answer
}

/** Appends the body of an `importKey` request. */
export function writeImportKeyRequest(writer: WireWriter, request: ImportKeyRequest): void {
  writeOwned(writer, request)
}

/** Reads the body of an `importKey` request. */
export function readImportKeyRequest(reader: WireReader): Received<ImportKeyRequest> {
  const request = readOwned(reader)
  expectEnd(reader)
  return request
}

/** Appends the body of an `importKey` answer. */
export function writeImportKeyAnswer(writer: WireWriter, answer: ImportKeyAnswer): void {
  writePoint(writer, answer.publicKey)
  writeBytes16(writer, answer.document)
}

/** Reads the body of an `importKey` answer into copies of its own. */
export function readImportKeyAnswer(reader: WireReader): ImportKeyAnswer {
  const answer = {
    publicKey: Uint8Array.from(readPoint(reader)),
    document: Uint8Array.from(readBytes16(reader)),
  }
  expectEnd(reader)
  return answer
}

/** Appends the body of an `import` request. */
export function writeImportRequest(writer: WireWriter, request: ImportRequest): void {
  writeOwned(writer, request)
  writeDataKeyB(writer, request)
  writePoint(writer, request.importKey)
  writePoint(writer, request.enc)
  writeBytes16(writer, request.ciphertext)
}

/** Reads the body of an `import` request. */
export function readImportRequest(reader: WireReader): Received<ImportRequest> {
  const request = {
    ...readOwned(reader),
    ...readDataKeyB(reader),
    importKey: readPoint(reader),
    enc: readPoint(reader),
    ciphertext: readBytes16(reader),
  }
  expectEnd(reader)
  return request
}
