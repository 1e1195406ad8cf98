import type { Chain } from '../chain.ts'
import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { bytesToQuantity } from '../codec/quantity.ts'
import { invalidPayload } from '../network-error.ts'
import type { Networks } from '../network-set.ts'
import type { MessageIntent, SignIntent } from './intent.ts'
import { intentKinds, intentVersion, messageFlags } from './intent-format.ts'

/**
 * The intent of `encodeIntent`'s bytes; its byte fields are views of them.
 * Anything that `encodeIntent` would not have written, trailing bytes included, is `invalid_payload`.
 */
export function decodeIntent(networks: Networks, bytes: Uint8Array): SignIntent {
  const reader = byteReader(bytes)
  if (reader.u8() !== intentVersion) throw invalidPayload('The intent has an unknown version.')
  const kind = intentKinds[reader.u8()]
  if (kind === undefined) throw invalidPayload('The intent has an unknown kind.')
  const intent = readFields(networks, kind, readChain(networks, reader), reader)
  if (reader.left() !== 0) throw invalidPayload('The intent has trailing bytes.')
  return intent
}

function readFields(
  networks: Networks,
  kind: (typeof intentKinds)[number],
  chain: Chain,
  reader: ByteReader,
): SignIntent {
  switch (kind) {
    case 'message':
      return readMessage(chain, reader)
    case 'typed_data':
      return { kind, chain: chain.handle, typedData: reader.sizedText() }
    case 'smart_account_typed_data':
      return { kind: 'typed_data', chain: chain.handle, typedData: reader.sizedText(), smartAccount: true }
    case 'transaction':
      return { kind, network: chain.network, chain: chain.handle, bytes: reader.sizedBytes() }
    case 'amino_transaction': {
      if (!networks.of(chain).transaction?.signModes?.includes('amino_json'))
        throw invalidPayload('The intent has an unknown sign mode.')
      const { handle, network } = chain
      const bytes = reader.sizedBytes()
      return { kind: 'transaction', network, chain: handle, bytes, signMode: 'amino_json' }
    }
    case 'hash':
    case 'user_operation':
      return { kind, chain: chain.handle, hash: reader.bytes(32) }
    case 'authorization':
      return {
        kind,
        chain: chain.handle,
        chainId: readQuantity(reader),
        contract: reader.bytes(20),
        nonce: readQuantity(reader),
      }
  }
}

function readMessage(chain: Chain, reader: ByteReader): MessageIntent {
  const flags = reader.u8()
  const bothNonces = messageFlags.nonceText | messageFlags.nonceBytes
  if (flags > 127 || (flags & bothNonces) === bothNonces)
    throw invalidPayload('The intent has unknown flags.')
  const message = reader.sizedBytes()
  const intent: MessageIntent = { kind: 'message', network: chain.network, chain: chain.handle, message }
  if (flags === 0) return intent
  if (flags & messageFlags.raw) intent.scheme = 'raw'
  if (flags & messageFlags.applicationDomain) intent.applicationDomain = reader.bytes(32)
  if (flags & messageFlags.nonceText) intent.nonce = reader.sizedText()
  if (flags & messageFlags.nonceBytes) intent.nonce = reader.bytes(32)
  if (flags & messageFlags.recipient) intent.recipient = reader.sizedText()
  if (flags & messageFlags.callbackUrl) intent.callbackUrl = reader.sizedText()
  if (flags & messageFlags.smartAccount) intent.smartAccount = true
  return intent
}

function readChain(networks: Networks, reader: ByteReader): Chain {
  let handle = ''
  for (let left = reader.u8(); left > 0; left--) handle += String.fromCharCode(reader.u8())
  const chain = networks.chain(handle)
  if (!chain) throw invalidPayload('The intent names an unknown chain.')
  return chain
}

function readQuantity(reader: ByteReader): bigint {
  const length = reader.u8()
  const bytes = reader.bytes(length)
  if (length > 32 || bytes[0] === 0) throw invalidPayload('A number of the intent is not canonical.')
  return bytesToQuantity(bytes)
}
