import { writeMessage } from '../codec/protobuf/write-message.ts'
import type { TransactionScope } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { addressPrefix } from './address.ts'
import { parseAminoJson } from './amino-json.ts'
import type { RawCoin } from './coins.ts'
import { authInfoSchema, bodySchema, modeInfo, publicKeyAny, signModes, txRawSchema } from './direct.ts'
import { type CosmosMessage, messageFromAmino } from './messages.ts'
import { type CosmosFee, type CosmosTransaction, checkMessageCount, signersOf } from './raw-transaction.ts'

const number = /^(?:0|[1-9][0-9]{0,19})$/
const u64Max = 2n ** 64n - 1n

/**
 * Decodes a canonical amino JSON sign document (SIGN_MODE_LEGACY_AMINO_JSON). Another chain id, messages of which the
 * wallet signs none and unknown parts are `invalid_payload`. The document holds neither keys nor protobuf: a TxRaw is
 * there only where the wallet signs alone and each message is written as the chain would write it.
 */
export function decodeAmino(
  document: Uint8Array,
  { chain, publicKey, address }: TransactionScope,
): CosmosTransaction {
  const { account_number, chain_id, fee, memo, msgs, sequence, timeout_height, ...rest } = asObject(
    parseAminoJson(document),
  )
  if (Object.keys(rest).length > 0 || typeof memo !== 'string' || !Array.isArray(msgs)) throw malformed()
  if (chain_id !== chain.chainId)
    throw invalidPayload(`The chain id of the document is not that of ${chain.handle}.`)
  checkMessageCount(msgs.length)
  readNumber(account_number)
  const timeoutHeight = timeout_height === undefined ? 0n : readNumber(timeout_height)
  if (timeout_height !== undefined && timeoutHeight === 0n) throw malformed()
  const signedFee = readFee(fee)
  const messages = msgs.map(messageFromAmino)

  const prefix = addressPrefix(chain)
  const signers = signersOf(messages, signedFee, prefix)
  const isNamed = msgs.some((json, index) => messages[index]?.known === undefined && holdsText(json, address))
  if (!signers.includes(address) && !isNamed) throw invalidPayload('The sender is not this wallet.')

  const isAlone = signers.every((signer) => signer === address)
  const auth_info = {
    signer_infos: [
      {
        public_key: publicKeyAny(publicKey),
        mode_info: modeInfo(signModes.aminoJson),
        sequence: readNumber(sequence),
      },
    ],
    fee: signedFee,
  }
  const bodyMessages = isAlone ? encodedMessages(messages) : undefined
  return {
    messages,
    fee: signedFee,
    memo,
    expiresAtMs: undefined,
    isAlone,
    assemble:
      bodyMessages &&
      ((signature) => {
        const body = {
          messages: bodyMessages,
          memo,
          timeout_height: timeoutHeight,
          unordered: false,
          timeout_timestamp: undefined,
        }
        const body_bytes = writeMessage(body, bodySchema)
        const auth_info_bytes = writeMessage(auth_info, authInfoSchema)
        return writeMessage({ body_bytes, auth_info_bytes, signatures: [signature] }, txRawSchema)
      }),
  }
}

function encodedMessages(messages: readonly CosmosMessage[]) {
  const encoded = messages.map(({ typeUrl, known }) =>
    known?.encoded === undefined ? undefined : { type_url: typeUrl, value: known.encoded },
  )
  return encoded.every((message) => message !== undefined) ? encoded : undefined
}

function readFee(json: unknown): CosmosFee {
  const { amount, gas, payer = '', granter = '', ...rest } = asObject(json)
  const isNamed = (name: unknown, key: string) =>
    typeof name === 'string' && (name !== '' || !Object.hasOwn(asObject(json), key))
  if (
    Object.keys(rest).length > 0 ||
    !Array.isArray(amount) ||
    !isNamed(payer, 'payer') ||
    !isNamed(granter, 'granter')
  )
    throw malformed()
  return {
    amount: amount.map(readCoin),
    gas_limit: readNumber(gas),
    payer: String(payer),
    granter: String(granter),
  }
}

function readCoin(json: unknown): RawCoin {
  const { denom, amount, ...rest } = asObject(json)
  if (typeof denom !== 'string' || typeof amount !== 'string' || Object.keys(rest).length > 0)
    throw malformed()
  return { denom, amount }
}

function readNumber(value: unknown): bigint {
  if (typeof value !== 'string' || !number.test(value)) throw malformed()
  const parsed = BigInt(value)
  if (parsed > u64Max) throw malformed()
  return parsed
}

function asObject(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed()
  return json as Record<string, unknown>
}

/** Whether a text stands anywhere in a JSON value. */
function holdsText(json: unknown, text: string): boolean {
  if (typeof json !== 'object' || json === null) return json === text
  return Object.values(json).some((value) => holdsText(value, text))
}

function malformed(): Error {
  return invalidPayload('The sign document is malformed.')
}
