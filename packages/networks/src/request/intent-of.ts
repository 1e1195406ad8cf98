import { type Chain, type Curve, defaultChain } from '../chain.ts'
import { fromBase58 } from '../codec/base58.ts'
import { fromHex0x } from '../codec/hex.ts'
import { evmTransactionFromFields } from '../evm/transaction-from-fields.ts'
import type { MessageIntent, SignIntent } from '../intent/intent.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import type { MessageCodec, Network } from '../network.ts'
import { invalidPayload, invalidRequest, NetworkError } from '../network-error.ts'
import type { Networks } from '../network-set.ts'
import { chainAddress } from '../wallet-addresses.ts'
import type { MessageRequest, SignRequest, TransactionRequest } from './sign-request.ts'

/**
 * The chain a request is for: its own, otherwise the default of the curve (its own, otherwise `fallback`).
 * Throws `chain_unsupported`, and `invalid_request` for a chain of another curve than the request's or the wallet's.
 */
export function chainOf(networks: Networks, request: SignRequest, fallback: Curve): Chain {
  const handle = request.chain ?? defaultChain(request.curve ?? fallback)
  const chain = networks.chain(handle)
  if (chain === undefined) throw new NetworkError('chain_unsupported', 'No chain has this handle.')
  if (request.curve !== undefined && request.curve !== chain.curve) {
    throw invalidRequest(`${chain.handle} signs with ${chain.curve}, not with ${request.curve}.`)
  }
  return chain
}

/**
 * What is to be signed, from the request of the wire: complete and deterministic, so that whoever decodes it means the
 * same bytes. `random` gives the nonces that a caller left out. Throws `NetworkError`.
 */
export function intentOf(
  networks: Networks,
  request: SignRequest,
  chain: Chain,
  publicKey: Uint8Array,
  random: (n: number) => Uint8Array,
): SignIntent {
  switch (request.type) {
    case 'message': {
      const { message: codec } = networks.of(chain)
      const message = messageIntent(request, chain, codec)
      const address = () => chainAddress(networks, chain, publicKey)
      return codec.complete?.(message, address, random) ?? message
    }
    case 'typed_data':
      return {
        kind: 'typed_data',
        chain: chain.handle,
        typedData: JSON.stringify(request.typed_data),
        ...(request.smart_account === true && { smartAccount: true }),
      }
    case 'transaction':
      return {
        kind: 'transaction',
        network: chain.network,
        chain: chain.handle,
        bytes: transactionBytes(request, chain, networks.of(chain)),
        ...(isAmino(request, chain, networks.of(chain)) && { signMode: 'amino_json' }),
      }
    case 'hash':
      return { kind: 'hash', chain: chain.handle, hash: hexBytes(request.hash) }
    case 'user_operation':
      return { kind: 'user_operation', chain: chain.handle, hash: hexBytes(request.user_op_hash) }
    case 'authorization':
      return {
        kind: 'authorization',
        chain: chain.handle,
        chainId: BigInt(chain.chainId ?? 0),
        contract: hexBytes(request.contract),
        nonce: BigInt(request.nonce),
      }
  }
}

function messageIntent(request: MessageRequest, chain: Chain, codec: MessageCodec): MessageIntent {
  const { scheme, application_domain, nonce, recipient, callback_url } = request
  return {
    kind: 'message',
    network: chain.network,
    chain: chain.handle,
    message: messageBytes(request.message, request.encoding ?? 'utf8'),
    ...(scheme !== undefined && { scheme }),
    ...(application_domain !== undefined && { applicationDomain: domainBytes(application_domain) }),
    ...(nonce !== undefined && { nonce: codec.nonce === 'base64' ? nonceBytes(nonce) : nonce }),
    ...(recipient !== undefined && { recipient }),
    ...(callback_url !== undefined && { callbackUrl: callback_url }),
    ...(request.smart_account === true && { smartAccount: true }),
  }
}

/** Tron's form: hex in one case without 0x. */
function bareHexBytes(text: string): Uint8Array {
  if (text !== text.toLowerCase() && text !== text.toUpperCase())
    throw invalidRequest('The transaction is not hex in one case.')
  return messageBytes(`0x${text}`, 'hex')
}

function hexBytes(text: string): Uint8Array {
  const bytes = fromHex0x(text, true)
  if (!bytes) throw invalidRequest('A field is not 0x hex.')
  return bytes
}

function nonceBytes(text: string): Uint8Array {
  const bytes = messageBytes(text, 'base64')
  if (bytes.length !== 32) throw invalidRequest('The nonce has to be 32 bytes in base64.')
  return bytes
}

/** 32 bytes in hex or base58; the schema distinguishes the two by 0x. */
function domainBytes(text: string): Uint8Array {
  if (text.startsWith('0x')) return hexBytes(text)
  // 32 bytes are 44 digits at most; the time of base58 grows with the square of the length.
  const bytes = text.length > 44 ? undefined : fromBase58(text)
  if (bytes?.length !== 32) throw invalidRequest('The application domain has to be 32 bytes.')
  return bytes
}

/** Whether the text is an amino JSON document; a sign mode on a network that has one only is `invalid_request`. */
function isAmino({ sign_mode }: TransactionRequest, { handle }: Chain, { transaction }: Network): boolean {
  if (sign_mode !== undefined && transaction?.signModes === undefined)
    throw invalidRequest(`${handle} has no sign modes.`)
  return sign_mode === 'amino_json'
}

/** The bytes of a transaction: fields are EVM's, a text is the network's own serialized form. */
function transactionBytes(
  { transaction }: TransactionRequest,
  chain: Chain,
  { transaction: codec }: Network,
) {
  if (typeof transaction !== 'string') {
    if (chain.network !== 'evm')
      throw invalidPayload(`A transaction on ${chain.handle} must be a serialized string, not an object.`)
    return evmTransactionFromFields(transaction, chain)
  }
  return codec?.encoding === 'bare_hex'
    ? bareHexBytes(transaction)
    : messageBytes(transaction, codec?.encoding ?? 'base64')
}
