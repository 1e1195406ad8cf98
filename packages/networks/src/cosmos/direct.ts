import { concat } from '../codec/concat.ts'
import { bool, bytes, embedded, list, opaque, protoSchema, text, u64 } from '../codec/protobuf/proto-type.ts'
import { readMessage, readPartly } from '../codec/protobuf/read-message.ts'
import { writeMessage } from '../codec/protobuf/write-message.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import type { TransactionScope } from '../network.ts'
import { invalidPayload, unlessRefused } from '../network-error.ts'
import { expiryMs } from '../preview/expiry.ts'
import { addressPrefix } from './address.ts'
import { anySchema, timestampSchema } from './google-types.ts'
import { messageFromProto } from './messages.ts'
import { type CosmosTransaction, checkMessageCount, feeSchema, signersOf } from './raw-transaction.ts'

const signDocSchema = protoSchema({
  body_bytes: bytes,
  auth_info_bytes: bytes,
  chain_id: text,
  account_number: u64,
})
/** Extension options are left out: transactions that have any are refused. */
export const bodySchema = protoSchema({
  messages: list(embedded(anySchema)),
  memo: text,
  timeout_height: u64,
  unordered: bool,
  timeout_timestamp: embedded(timestampSchema),
})
const signerInfoSchema = protoSchema({ public_key: embedded(anySchema), mode_info: opaque, sequence: u64 })
/** cosmos.tx.v1beta1.AuthInfo without its tip, which no chain takes any more. */
export const authInfoSchema = protoSchema({
  signer_infos: list(embedded(signerInfoSchema)),
  fee: embedded(feeSchema),
})
/** cosmos.tx.v1beta1.TxRaw. */
export const txRawSchema = protoSchema({ body_bytes: bytes, auth_info_bytes: bytes, signatures: list(bytes) })

const keyTypeUrl = '/cosmos.crypto.secp256k1.PubKey'
const keyHead = Uint8Array.of(0x0a, 33)

/** cosmos.tx.signing.v1beta1.SignMode. */
export const signModes = { direct: 1, aminoJson: 127 }

/**
 * Decodes a SignDoc (SIGN_MODE_DIRECT, ADR-020). Another chain id, a wallet that is none of the signers or does not
 * sign in this mode, messages of other accounts where the wallet signs alone, extension options and whatever is not
 * canonical are `invalid_payload`.
 */
export function decodeDirect(
  signDoc: Uint8Array,
  { chain, publicKey, address }: TransactionScope,
): CosmosTransaction {
  const { body_bytes, auth_info_bytes, chain_id } = readMessage(signDoc, signDocSchema)
  if (chain_id !== chain.chainId)
    throw invalidPayload(`The chain id of the transaction is not that of ${chain.handle}.`)
  const { signer_infos, fee } = readMessage(auth_info_bytes, authInfoSchema)
  const body = readMessage(body_bytes, bodySchema)
  checkMessageCount(body.messages.length)
  if (fee === undefined) throw invalidPayload('The transaction has no fee.')

  const own = publicKeyAny(publicKey)
  const places = signer_infos.flatMap(({ public_key }, index) =>
    public_key?.type_url === keyTypeUrl && isSameBytes(public_key.value, own.value) ? [index] : [],
  )
  const [place] = places
  const mode = place === undefined ? undefined : signer_infos[place]?.mode_info
  if (place === undefined || places.length > 1) throw invalidPayload('The wallet is not one of the signers.')
  if (mode === undefined || !isSameBytes(mode, modeInfo(signModes.direct)))
    throw invalidPayload('The wallet is to sign in another mode.')

  const messages = body.messages.map(messageFromProto)
  const isAlone = signer_infos.length === 1
  const prefix = addressPrefix(chain)
  const signers = signersOf(messages, fee, prefix)
  const hasUnknown = messages.some(({ known }) => known === undefined)
  const isOwn = isAlone
    ? signers.every((signer) => signer === address)
    : hasUnknown || signers.includes(address)
  if (!isOwn) throw invalidPayload('The sender is not this wallet.')

  return {
    messages,
    fee,
    memo: body.memo,
    expiresAtMs: timeoutMs(body.timeout_timestamp),
    isAlone,
    assemble: (signature) =>
      writeMessage(
        {
          body_bytes,
          auth_info_bytes,
          signatures: signer_infos.map((_, index) => (index === place ? signature : bytes.absent)),
        },
        txRawSchema,
      ),
  }
}

/** Whether bytes are a SignDoc of any chain, with messages in it. */
export function isDirectDocument(signDoc: Uint8Array): boolean {
  const messages = unlessRefused(() => {
    const { body_bytes, auth_info_bytes, chain_id } = readPartly(signDoc, signDocSchema).message
    const { fee } = readPartly(auth_info_bytes, authInfoSchema).message
    return chain_id !== '' && fee && readPartly(body_bytes, bodySchema).message.messages
  })
  return messages ? messages.length > 0 : false
}

/** A secp256k1 key as a signer names it. */
export function publicKeyAny(publicKey: Uint8Array): { type_url: string; value: Uint8Array } {
  return { type_url: keyTypeUrl, value: concat(keyHead, publicKey) }
}

/** ModeInfo of one key that signs in `mode`. */
export function modeInfo(mode: number): Uint8Array {
  return Uint8Array.of(0x0a, 2, 8, mode)
}

function timeoutMs(timeout: { seconds: bigint; nanos: bigint } | undefined): number | undefined {
  const secondsMs = timeout && expiryMs(timeout.seconds)
  return secondsMs === undefined ? undefined : secondsMs + Math.floor(Number(timeout?.nanos ?? 0n) / 1e6)
}
