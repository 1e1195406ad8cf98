import * as z from 'zod'
import { PolicyDecision } from './agent-decision.ts'
import { Curve, Hex, Hex32, Id } from './formats.ts'
import { SignatureReceipt } from './receipt.ts'
import { ClientPreview, SignPreview } from './sign-preview.ts'

/** Tron's signed transaction. */
const TronTransaction = z.strictObject({
  raw_data_hex: z.string(),
  signature: z.array(z.string()),
  txID: z.string(),
})

/** A signature, verified before it left; what does not apply to the type or the network is absent. */
export const SignResponse = z
  .strictObject({
    wallet_id: Id,
    address: z.string().meta({
      description: "The wallet's address on the signing network; with `smart_account` that of the account.",
    }),
    public_key: Hex,
    curve: Curve,
    chain: z.string(),
    type: z.enum(['message', 'typed_data', 'transaction', 'hash', 'user_operation', 'authorization']),
    signature: z.string().optional().meta({ description: 'Absent with `dry_run`.' }),
    encoding: z.enum(['hex', 'base64']).optional().meta({ description: 'Of `signature`.' }),
    r: Hex32.optional(),
    s: Hex32.optional(),
    v: z.int().optional(),
    y_parity: z.int().min(0).max(1).optional(),
    signature_base58: z.string().optional(),
    signed_transaction: z.union([z.string(), TronTransaction]).optional(),
    transaction_hash: z.string().optional(),
    signed_payload: Hex.optional().meta({ description: 'The exact bytes that were hashed or signed.' }),
    full_message: z.string().optional().meta({ description: 'Aptos: the text that was signed.' }),
    nonce: z.string().optional(),
    recipient: z.string().optional(),
    callback_url: z.string().optional(),
    application_domain: z.string().optional(),
    preview: z
      .union([SignPreview, ClientPreview])
      .meta({ description: "The client's preview if it sent one, otherwise the server's." }),
    decoded_preview: SignPreview.meta({ description: "Always the server's own." }),
    decision: PolicyDecision.optional().meta({
      description: 'Agents, with `dry_run`: the whole evaluation.',
    }),
    receipt: SignatureReceipt.optional(),
  })
  .meta({ id: 'SignResponse' })

/** The signature as the API returns it. */
export type SignResponse = z.output<typeof SignResponse>
