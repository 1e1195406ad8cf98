import * as z from 'zod'
import { Base64, Curve, Email, Hex, NetworkName } from './formats.ts'

const wallet = {
  curve: Curve.exactOptional().meta({ description: 'Defaults to `secp256k1`.' }),
  account_type: z.enum(['eoa']).exactOptional(),
  chain_type: NetworkName.exactOptional().meta({
    description: "The network of the curve whose address becomes the wallet's `address`.",
  }),
}

const shareIndex = z.int().min(1).max(255)

/**
 * A wallet to create. In TEE mode `curve`, `chain_type` and `account_type` only: the server makes the key and refuses
 * the other fields; in client mode the browser has made it and sends all of them.
 */
export const CreateWallet = z
  .strictObject({
    ...wallet,
    address: z
      .string()
      .min(1)
      .max(128)
      .regex(/^[\x21-\x7e]+$/, 'must be an address')
      .exactOptional(),
    public_key: Hex.max(132).exactOptional(),
    provider_share: Base64.max(64).exactOptional(),
    provider_share_index: shareIndex.exactOptional(),
    recovery_share: Base64.max(64).exactOptional(),
    recovery_share_index: shareIndex.exactOptional(),
  })
  .meta({ id: 'CreateWallet' })

/** A TEE wallet that the backend creates for a user, also before the first login; exactly one of the two names. */
export const CreateWalletFor = z
  .strictObject({
    email: Email.exactOptional(),
    provider_user_id: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'has control characters')
      .exactOptional(),
    ...wallet,
  })
  .refine((input) => (input.email === undefined) !== (input.provider_user_id === undefined), {
    message: 'must have exactly one of `email` and `provider_user_id`',
  })
  .meta({
    id: 'CreateWalletFor',
    oneOf: [{ required: ['email'] }, { required: ['provider_user_id'] }],
  })

/** Up to 100 wallets at once. */
export const CreateWallets = z
  .strictObject({ items: z.array(CreateWalletFor).min(1).max(100) })
  .meta({ id: 'CreateWallets' })
