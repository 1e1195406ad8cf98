import { type NetworkName, networkNames, transactionForms } from '@symbolon/networks/names'
import * as z from 'zod'
import { EvmTransaction } from './evm-transaction.ts'
import {
  Base64,
  ChainHandle,
  Curve,
  EvmAddress,
  Hex,
  Hex32,
  Id,
  Quantity64,
  SerializedTransaction,
} from './formats.ts'
import { WantsReceipt } from './receipt.ts'
import { ClientPreview } from './sign-preview.ts'
import { TypedData } from './typed-data.ts'

const every = {
  curve: Curve.exactOptional().meta({ description: 'Defaults to the curve of the chain, or `secp256k1`.' }),
  preview: ClientPreview.exactOptional(),
  dry_run: z.boolean().exactOptional().meta({ description: 'Decodes and checks without signing.' }),
  receipt: WantsReceipt.exactOptional(),
}

const forSmartAccount = {
  smart_account: z.boolean().exactOptional().meta({
    description:
      "EVM only: signs for the wallet's smart account, as its `isValidSignature` (ERC-1271) on `chain` expects.",
  }),
}

const messageOptions = {
  ...every,
  ...forSmartAccount,
  chain: ChainHandle.exactOptional().meta({
    description: 'Decides the scheme. Defaults to `ethereum` or `solana`.',
  }),
  scheme: z.enum(['raw']).exactOptional().meta({ description: 'Solana only: signs the bytes as they are.' }),
  application_domain: z
    .union([Hex32, z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be base58 of 32 bytes')])
    .exactOptional()
    .meta({ description: 'Solana only: 32 bytes in base58 or 0x hex. Defaults to zeros.' }),
  nonce: z.string().min(1).max(256).exactOptional().meta({
    description: 'Near: 32 bytes in base64. Aptos: any text. Generated and returned when absent.',
  }),
  recipient: z.string().min(1).max(256).exactOptional().meta({ description: 'Near only.' }),
  callback_url: z.string().min(1).max(2048).exactOptional().meta({ description: 'Near only.' }),
}

const transactionTexts = Object.entries(networkNames).map(
  ([name, label]) => `${label}: ${transactionForms[name as NetworkName]}.`,
)

/** The request by `type`, every variant with the fields of `extra`. */
function variants<extra extends z.core.$ZodShape>(extra: extra) {
  const message = { ...extra, ...messageOptions, type: z.literal('message') }
  return z.discriminatedUnion('type', [
    z.discriminatedUnion('encoding', [
      z.strictObject({ ...message, message: z.string(), encoding: z.literal('utf8').exactOptional() }),
      z.strictObject({ ...message, message: Hex, encoding: z.literal('hex') }),
      z.strictObject({ ...message, message: Base64, encoding: z.literal('base64') }),
    ]),
    z.strictObject({
      ...extra,
      ...every,
      ...forSmartAccount,
      type: z.literal('typed_data'),
      typed_data: TypedData,
      chain: ChainHandle.exactOptional(),
    }),
    z.strictObject({
      ...extra,
      ...every,
      type: z.literal('transaction'),
      chain: ChainHandle,
      transaction: z.union([SerializedTransaction, EvmTransaction]).meta({
        description: transactionTexts.join(' '),
      }),
      sign_mode: z
        .enum(['direct', 'amino_json'])
        .exactOptional()
        .meta({ description: 'Cosmos only. Defaults to `direct`.' }),
    }),
    z.strictObject({
      ...extra,
      ...every,
      type: z.literal('hash'),
      hash: Hex32,
      chain: ChainHandle.exactOptional(),
    }),
    z.strictObject({
      ...extra,
      ...every,
      type: z.literal('user_operation'),
      user_op_hash: Hex32,
      chain: ChainHandle.exactOptional(),
    }),
    z.strictObject({
      ...extra,
      ...every,
      type: z.literal('authorization'),
      chain: ChainHandle,
      contract: EvmAddress,
      nonce: Quantity64,
    }),
  ])
}

/** What to sign. */
export const SignRequest = variants({}).meta({ id: 'SignRequest' })

/** What to sign, and with which wallet. */
export const SignRequestFor = variants({ wallet_id: Id }).meta({ id: 'SignRequestFor' })

/** What to sign, parsed. */
export type SignRequest = z.output<typeof SignRequest>
/** What to sign and with which wallet, parsed. */
export type SignRequestFor = z.output<typeof SignRequestFor>
