import type { Curve } from '../chain.ts'
import type { EvmTransactionFields } from '../evm/transaction-from-fields.ts'

type Every = {
  readonly curve?: Curve
  readonly preview?: unknown
  readonly dry_run?: boolean
}

/** A message to sign, as on the wire; the fields after `smart_account` belong to single networks. */
export type MessageRequest = Every & {
  readonly type: 'message'
  readonly message: string
  readonly encoding?: 'utf8' | 'hex' | 'base64'
  readonly chain?: string
  readonly smart_account?: boolean
  readonly scheme?: 'raw'
  readonly application_domain?: string
  readonly nonce?: string
  readonly recipient?: string
  readonly callback_url?: string
}

/** A transaction to sign, as on the wire: fields are EVM's, a text is the network's own serialized form. */
export type TransactionRequest = Every & {
  readonly type: 'transaction'
  readonly chain: string
  readonly transaction: string | EvmTransactionFields
  readonly sign_mode?: 'direct' | 'amino_json'
}

/** What to sign, as the HTTP API spells it, its texts already of the right form; the decoders check the rest. */
export type SignRequest =
  | MessageRequest
  | (Every & {
      readonly type: 'typed_data'
      readonly typed_data: unknown
      readonly chain?: string
      readonly smart_account?: boolean
    })
  | TransactionRequest
  | (Every & { readonly type: 'hash'; readonly hash: string; readonly chain?: string })
  | (Every & { readonly type: 'user_operation'; readonly user_op_hash: string; readonly chain?: string })
  | (Every & {
      readonly type: 'authorization'
      readonly chain: string
      readonly contract: string
      readonly nonce: string
    })
