// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { ClientPreview, Curve, NetworkName } from './answers.ts'
import type { AgentMethod, AllowedContract, AllowedToken } from './backend-answers.ts'
import type { EvmTransaction, TypedData } from './requests.ts'

/** `CreateWalletFor` of the API. */
export type CreateWalletFor = {
  email?: string
  provider_user_id?: string
  /** Default `secp256k1`. */
  curve?: Curve
  account_type?: 'eoa'
  /** The network of the curve whose address becomes the wallet's `address`. */
  chain_type?: NetworkName
}

/** `CreateWallets` of the API. */
export type CreateWallets = {
  items: Array<CreateWalletFor>
}

/** `MintAgentSession` of the API. */
export type MintAgentSession = {
  max_spend_per_tx_native: string
  max_spend_total_native: string
  allowed_chains: Array<string>
  allowed_methods: Array<AgentMethod>
  allowed_recipients?: Array<string>
  /** Missing: no token, unless the organization’s `token_mode` is `any`. */
  allowed_tokens?: Array<AllowedToken>
  /** Missing: none. */
  allowed_contracts?: Array<AllowedContract>
  max_fee_per_tx_native?: string
  max_tx_count?: number
  /** RFC 3339, with a time zone. */
  expires_at: string
  wallet_id: string
  name: string
  agent_id?: string
}

/** `SignRequestFor` of the API. */
export type SignRequestFor =
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      /** EVM only: sign in the name of the wallet's smart account, for its `isValidSignature` (ERC-1271) on `chain`. */
      smart_account?: boolean
      /** Decides the scheme; default `ethereum` or `solana`. */
      chain?: string
      /** Solana only: sign the bare bytes. */
      scheme?: 'raw'
      /** Solana only: 32 bytes, base58 or 0x hex; default zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64; Aptos: any text. Generated and answered when absent. */
      nonce?: string
      /** Near only. */
      recipient?: string
      /** Near only. */
      callback_url?: string
      type: 'message'
      message: string
      encoding?: 'utf8'
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      /** EVM only: sign in the name of the wallet's smart account, for its `isValidSignature` (ERC-1271) on `chain`. */
      smart_account?: boolean
      /** Decides the scheme; default `ethereum` or `solana`. */
      chain?: string
      /** Solana only: sign the bare bytes. */
      scheme?: 'raw'
      /** Solana only: 32 bytes, base58 or 0x hex; default zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64; Aptos: any text. Generated and answered when absent. */
      nonce?: string
      /** Near only. */
      recipient?: string
      /** Near only. */
      callback_url?: string
      type: 'message'
      message: string
      encoding: 'hex'
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      /** EVM only: sign in the name of the wallet's smart account, for its `isValidSignature` (ERC-1271) on `chain`. */
      smart_account?: boolean
      /** Decides the scheme; default `ethereum` or `solana`. */
      chain?: string
      /** Solana only: sign the bare bytes. */
      scheme?: 'raw'
      /** Solana only: 32 bytes, base58 or 0x hex; default zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64; Aptos: any text. Generated and answered when absent. */
      nonce?: string
      /** Near only. */
      recipient?: string
      /** Near only. */
      callback_url?: string
      type: 'message'
      message: string
      encoding: 'base64'
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      /** EVM only: sign in the name of the wallet's smart account, for its `isValidSignature` (ERC-1271) on `chain`. */
      smart_account?: boolean
      type: 'typed_data'
      typed_data: TypedData
      chain?: string
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      type: 'transaction'
      chain: string
      /** EVM: an object or unsigned RLP (0x hex). Bitcoin: PSBT (base64). Tron: raw_data_hex. Cosmos: SignDoc, or with `sign_mode` `amino_json` the canonical sign document (base64 both). Solana: message or transaction (base64). Near: borsh (base64). Aptos: BCS (base64). Stellar: TransactionEnvelope XDR (base64). */
      transaction: string | EvmTransaction
      /** Cosmos only; default `direct`. */
      sign_mode?: 'direct' | 'amino_json'
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      type: 'hash'
      hash: string
      chain?: string
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      type: 'user_operation'
      user_op_hash: string
      chain?: string
    }
  | {
      wallet_id: string
      /** Default from the chain, otherwise `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decode and check, but do not sign. */
      dry_run?: boolean
      type: 'authorization'
      chain: string
      contract: string
      nonce: string
    }
