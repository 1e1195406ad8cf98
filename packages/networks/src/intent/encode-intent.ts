import { type ByteWriter, byteWriter } from '../codec/byte-writer.ts'
import { quantityToBytes } from '../codec/quantity.ts'
import type { Network } from '../network.ts'
import { invalidRequest, NetworkError } from '../network-error.ts'
import type { Networks } from '../network-set.ts'
import type { MessageIntent, SignIntent } from './intent.ts'
import { intentKinds, intentVersion, messageFlags } from './intent-format.ts'

/**
 * The one binary form of an intent: version, kind, chain handle, then the kind's fields, each with its length.
 * An unknown chain is `chain_unsupported`, a network that is not the chain's or a field of a wrong shape
 * `invalid_request`.
 */
export function encodeIntent(networks: Networks, intent: SignIntent): Uint8Array {
  const chain = networks.chain(intent.chain)
  if (!chain) throw new NetworkError('chain_unsupported', 'The chain is unknown.')
  if ('network' in intent && intent.network !== chain.network) {
    throw invalidRequest(`${intent.chain} is not a chain of ${intent.network}.`)
  }
  const writer = byteWriter(intent.kind === 'message' ? 32 + intent.message.length : 256)
  writer.u8(intentVersion)
  writer.u8(intentKinds.indexOf(kindOf(networks.of(chain), intent)))
  writeHandle(writer, intent.chain)
  writeFields(writer, intent)
  return writer.finish()
}

function kindOf({ transaction }: Network, intent: SignIntent): (typeof intentKinds)[number] {
  if (intent.kind === 'typed_data' && intent.smartAccount === true) return 'smart_account_typed_data'
  if (intent.kind !== 'transaction' || intent.signMode === undefined) return intent.kind
  if (!transaction?.signModes?.includes(intent.signMode))
    throw invalidRequest(`${intent.chain} has no sign mode ${intent.signMode}.`)
  return 'amino_transaction'
}

function writeFields(writer: ByteWriter, intent: SignIntent): void {
  switch (intent.kind) {
    case 'message':
      writeMessage(writer, intent)
      break
    case 'typed_data':
      writer.sizedText(intent.typedData)
      break
    case 'transaction':
      writer.sizedBytes(intent.bytes)
      break
    case 'hash':
    case 'user_operation':
      writer.bytes(fixed(intent.hash, 32))
      break
    case 'authorization':
      writeQuantity(writer, intent.chainId)
      writer.bytes(fixed(intent.contract, 20))
      writeQuantity(writer, intent.nonce)
  }
}

function writeMessage(writer: ByteWriter, intent: MessageIntent): void {
  const { scheme, applicationDomain, nonce, recipient, callbackUrl, smartAccount } = intent
  writer.u8(
    (scheme === undefined ? 0 : messageFlags.raw) |
      (applicationDomain === undefined ? 0 : messageFlags.applicationDomain) |
      (nonce === undefined
        ? 0
        : typeof nonce === 'string'
          ? messageFlags.nonceText
          : messageFlags.nonceBytes) |
      (recipient === undefined ? 0 : messageFlags.recipient) |
      (callbackUrl === undefined ? 0 : messageFlags.callbackUrl) |
      (smartAccount === undefined ? 0 : messageFlags.smartAccount),
  )
  writer.sizedBytes(intent.message)
  if (applicationDomain !== undefined) writer.bytes(fixed(applicationDomain, 32))
  if (typeof nonce === 'string') writer.sizedText(nonce)
  else if (nonce !== undefined) writer.bytes(fixed(nonce, 32))
  if (recipient !== undefined) writer.sizedText(recipient)
  if (callbackUrl !== undefined) writer.sizedText(callbackUrl)
}

function writeHandle(writer: ByteWriter, handle: string): void {
  writer.u8(handle.length)
  for (let index = 0; index < handle.length; index++) writer.u8(handle.charCodeAt(index))
}

function writeQuantity(writer: ByteWriter, value: bigint): void {
  if (value < 0n) throw invalidRequest('A number must not be negative.')
  const bytes = quantityToBytes(value)
  if (bytes.length > 32) throw invalidRequest('A number is too large.')
  writer.u8(bytes.length)
  writer.bytes(bytes)
}

function fixed(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw invalidRequest(`A field must be ${length} bytes long.`)
  return bytes
}
