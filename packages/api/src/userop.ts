import * as z from 'zod'
import {
  Amount,
  ChainHandle,
  Eur,
  EvmAddress,
  Hex,
  Hex32,
  Quantity64,
  Quantity256,
  Timestamp,
  Wei,
} from './formats.ts'
import { ClientPreview, SignPreview } from './sign-preview.ts'

const callsMax = 64

const Call = z.strictObject({
  to: z.string().meta({ description: '20 bytes in hex with 0x. Anything else returns `bad_to`.' }),
  data: Hex.default('0x').meta({ description: 'Calldata.' }),
  value: Wei.default('0').meta({ description: 'Wei, decimal.' }),
})

/** The calls of a smart account: one is encoded as `execute`, several as `executeBatch`, in order. */
export const BuildUserOp = z
  .strictObject({
    chain: ChainHandle,
    calls: z.array(Call).min(1).max(callsMax),
    preview: ClientPreview.exactOptional().meta({ description: 'Returned in the answer.' }),
    sponsored: z.boolean().default(true).meta({
      description: 'With `false`, or on a chain without a paymaster, the account pays its own gas.',
    }),
    check_funds: z.boolean().exactOptional().meta({
      description:
        'If true, an operation that the account cannot pay is refused as `estimate_gas_reverted`; `details` has `needed`, `balance` and `asset`.',
    }),
  })
  .meta({ id: 'BuildUserOp' })

/** The fields that the hash is made of (EntryPoint v0.7, spelled as in ERC-7769): whoever signs recomputes it. */
const BuiltOperation = z
  .strictObject({
    sender: EvmAddress,
    nonce: Quantity256,
    factory: EvmAddress.exactOptional(),
    factoryData: Hex.exactOptional(),
    callData: Hex,
    callGasLimit: Quantity64,
    verificationGasLimit: Quantity64,
    preVerificationGas: Quantity64,
    maxFeePerGas: Quantity64,
    maxPriorityFeePerGas: Quantity64,
    paymasterAndDataHash: Hex32.exactOptional().meta({
      description:
        'keccak-256 of `paymasterAndData`, which is added when you submit. Absent when the account pays.',
    }),
  })
  .meta({ id: 'BuiltOperation' })

/** A stored, half-built operation: its hash is what the owner signs. */
export const BuiltUserOp = z
  .strictObject({
    user_op_hash: Hex32.meta({ description: 'The owner signs it as an EIP-191 message of 32 bytes.' }),
    user_operation: BuiltOperation,
    preview: z
      .union([SignPreview, ClientPreview])
      .meta({ description: "The client's preview if it sent one, otherwise the server's." }),
    decoded_preview: SignPreview.meta({ description: "The server's own, decoded from the calls." }),
    expires_at: Timestamp.meta({ description: 'When it can no longer be submitted.' }),
  })
  .meta({ id: 'BuiltUserOp' })

/** The owner's signature over a built operation. */
export const SubmitUserOp = z
  .strictObject({
    user_op_hash: Hex32,
    signature: Hex.meta({ description: '65 bytes r‖s‖v over the EIP-191 message of the hash.' }),
  })
  .meta({ id: 'SubmitUserOp' })

/** The status of a submitted operation; what is not known yet is null. */
export const UserOpStatus = z
  .strictObject({
    user_op_hash: Hex32,
    chain: ChainHandle,
    chain_id: z.int(),
    sender: EvmAddress,
    status: z.enum(['submitted', 'confirmed', 'failed']),
    transaction_hash: Hex32.nullable(),
    block_number: z.int().nullable(),
    success: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether its calls succeeded. Null until it is included.' }),
    reason: z.string().nullable().meta({
      description: 'Why it failed: the revert reason, the bundler’s refusal, `expired` or `replaced`.',
    }),
    actual_gas_cost_wei: Amount.nullable(),
    actual_gas_cost_eur: Eur.nullable().meta({
      description: 'At the price when it was built. Sponsored operations only.',
    }),
    sponsored: z.boolean(),
    submitted_at: Timestamp,
    confirmed_at: Timestamp.nullable().meta({ description: 'When it had enough confirmations.' }),
  })
  .meta({ id: 'UserOpStatus' })

/** The status as the API returns it. */
export type UserOpStatus = z.output<typeof UserOpStatus>
