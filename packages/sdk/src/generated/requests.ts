// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { ClientPreview, Curve, NetworkName, P256Point } from './answers.ts'

/** `BroadcastTx` of the API. */
export type BroadcastTx = {
  chain: string
  /** 0x02 and the RLP of the signed transaction, in hex with 0x. */
  raw_tx: string
}

/** `BuildUserOp` of the API. */
export type BuildUserOp = {
  chain: string
  calls: Array<{
    /** 20 bytes in hex with 0x. Anything else returns `bad_to`. */
    to: string
    /** Calldata. */
    data?: string
    /** Wei, decimal. */
    value?: string
  }>
  /** Returned in the answer. */
  preview?: ClientPreview
  /** With `false`, or on a chain without a paymaster, the account pays its own gas. */
  sponsored?: boolean
  /** If true, an operation that the account cannot pay is refused as `estimate_gas_reverted`; `details` has `needed`, `balance` and `asset`. */
  check_funds?: boolean
}

/** Names the device that logs in: 16 to 64 random characters of base64url that the device keeps secret. The wallet frame makes and keeps one. */
export type ClientNonce = string

/** `CompleteKeyExport` of the API. */
export type CompleteKeyExport = {
  export_id: string
  code: string
  recipient_public_key: P256Point
}

/** `CompleteKeyImport` of the API. */
export type CompleteKeyImport = {
  import_id: string
  code: string
  enc: P256Point
  /** The sealed key (32 bytes) and its tag, in base64. */
  ciphertext: string
}

/** `CompleteRecovery` of the API. */
export type CompleteRecovery = {
  new_provider_share: string
  new_provider_share_index: number
  new_recovery_share: string
  new_recovery_share_index: number
}

/** `CreateSmartAccount` of the API. */
export type CreateSmartAccount = {
  chain: string
}

/** `CreateWallet` of the API. */
export type CreateWallet = {
  /** Defaults to `secp256k1`. */
  curve?: Curve
  account_type?: 'eoa'
  /** The network of the curve whose address becomes the wallet's `address`. */
  chain_type?: NetworkName
  address?: string
  public_key?: string
  provider_share?: string
  provider_share_index?: number
  recovery_share?: string
  recovery_share_index?: number
}

/** `EvmTransaction` of the API. */
export type EvmTransaction = {
  to?: string
  /** In wei. Defaults to 0x0. */
  value?: string
  /** Defaults to 0x. */
  data?: string
  nonce: string
  gas_limit: string
  max_fee_per_gas?: string
  max_priority_fee_per_gas?: string
  gas_price?: string
  access_list?: Array<{
    address: string
    storage_keys: Array<string>
  }>
  /** Must be the chain id of `chain`. */
  chain_id?: string
}

/** `InitiateKeyTransfer` of the API. */
export type InitiateKeyTransfer = {
  /** Defaults to `secp256k1`. */
  curve?: Curve
}

/** `InitiateRecovery` of the API. */
export type InitiateRecovery = {
  /** Defaults to `secp256k1`. */
  curve?: Curve
}

/** `PrepareTx` of the API. */
export type PrepareTx = {
  chain: string
  /** The recipient: 20 bytes in hex with 0x. */
  to: string
  /** Calldata. */
  data?: string
  /** Wei, decimal. */
  value?: string
  /** Gas units, decimal. With it nothing is estimated, so a call that reverts can be prepared too. */
  gas_limit?: string
  /** Wei, decimal, instead of the fee that the chain suggests. The tip is lowered to it. */
  max_fee_per_gas?: string
  /** If true, a transaction that the wallet cannot pay, its highest fee included, is refused as `estimate_gas_reverted`; `details` has `needed`, `balance` and `asset`. */
  check_funds?: boolean
}

/** `RefreshShares` of the API. */
export type RefreshShares = {
  /** Defaults to `secp256k1`. */
  curve?: Curve
  /** The version to replace. */
  polynomial_version: number
  new_provider_share: string
  new_provider_share_index: number
  new_recovery_share: string
  new_recovery_share_index: number
  /** Over the statement `symbolon/share-refresh/v1`, NUL, wallet id (16 bytes), version (4, big-endian), provider index (1), provider share (33), recovery index (1), recovery share (33). secp256k1: ECDSA r‖s, low s, over its SHA-256; ed25519: over the statement itself. */
  signature: string
}

/** `SignRequest` of the API. */
export type SignRequest =
  | {
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      /** EVM only: signs for the wallet's smart account, as its `isValidSignature` (ERC-1271) on `chain` expects. */
      smart_account?: boolean
      /** Decides the scheme. Defaults to `ethereum` or `solana`. */
      chain?: string
      /** Solana only: signs the bytes as they are. */
      scheme?: 'raw'
      /** Solana only: 32 bytes in base58 or 0x hex. Defaults to zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64. Aptos: any text. Generated and returned when absent. */
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
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      /** EVM only: signs for the wallet's smart account, as its `isValidSignature` (ERC-1271) on `chain` expects. */
      smart_account?: boolean
      /** Decides the scheme. Defaults to `ethereum` or `solana`. */
      chain?: string
      /** Solana only: signs the bytes as they are. */
      scheme?: 'raw'
      /** Solana only: 32 bytes in base58 or 0x hex. Defaults to zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64. Aptos: any text. Generated and returned when absent. */
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
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      /** EVM only: signs for the wallet's smart account, as its `isValidSignature` (ERC-1271) on `chain` expects. */
      smart_account?: boolean
      /** Decides the scheme. Defaults to `ethereum` or `solana`. */
      chain?: string
      /** Solana only: signs the bytes as they are. */
      scheme?: 'raw'
      /** Solana only: 32 bytes in base58 or 0x hex. Defaults to zeros. */
      application_domain?: string
      /** Near: 32 bytes in base64. Aptos: any text. Generated and returned when absent. */
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
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      /** EVM only: signs for the wallet's smart account, as its `isValidSignature` (ERC-1271) on `chain` expects. */
      smart_account?: boolean
      type: 'typed_data'
      typed_data: TypedData
      chain?: string
    }
  | {
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      type: 'transaction'
      chain: string
      /** EVM: an object or unsigned RLP (0x hex). Bitcoin: PSBT (base64). Tron: raw_data_hex. Cosmos: SignDoc, or with `sign_mode` `amino_json` the canonical sign document (base64 both). Solana: message or transaction (base64). Near: borsh (base64). Aptos: BCS (base64). Stellar: TransactionEnvelope XDR (base64). */
      transaction: string | EvmTransaction
      /** Cosmos only. Defaults to `direct`. */
      sign_mode?: 'direct' | 'amino_json'
    }
  | {
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      type: 'hash'
      hash: string
      chain?: string
    }
  | {
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      type: 'user_operation'
      user_op_hash: string
      chain?: string
    }
  | {
      /** Defaults to the curve of the chain, or `secp256k1`. */
      curve?: Curve
      preview?: ClientPreview
      /** Decodes and checks without signing. */
      dry_run?: boolean
      /** Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none. */
      receipt?: boolean
      type: 'authorization'
      chain: string
      contract: string
      nonce: string
    }

/** `StartEmailOtp` of the API. */
export type StartEmailOtp = {
  email: string
  client_nonce?: ClientNonce
}

/** `SubmitUserOp` of the API. */
export type SubmitUserOp = {
  user_op_hash: string
  /** 65 bytes r‖s‖v over the EIP-191 message of the hash. */
  signature: string
}

/** `TypedData` of the API. */
export type TypedData = {
  domain: { [name: string]: unknown }
  types: {
    [name: string]: Array<{
      name: string
      type: string
    }>
  }
  primaryType: string
  message: { [name: string]: unknown }
}

/** `VerifyEmailOtp` of the API. */
export type VerifyEmailOtp = {
  email: string
  code: string
  client_nonce?: ClientNonce
}

/** `VerifyRecovery` of the API. */
export type VerifyRecovery = {
  code: string
}
