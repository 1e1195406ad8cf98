// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { ClientPreview, Curve, NetworkName } from './answers.ts'
import type { AgentMethod, AllowedContract, AllowedToken, AssetCap } from './backend-answers.ts'
import type { EvmTransaction, TypedData } from './requests.ts'

/** `CreateWalletFor` of the API. */
export type CreateWalletFor = {
  email?: string
  provider_user_id?: string
  /** Defaults to `secp256k1`. */
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
  /** The most native value that one payload may move, in the smallest unit (wei, lamports, satoshi), without its fee. */
  max_spend_per_tx_native: string
  /** The most that one payload may move of each native asset listed, in addition to the cap for all. Assets are named as in `spent` (`ETH`, `BTC`). */
  max_spend_per_tx?: Array<AssetCap>
  /** The most that all payloads together may spend, value and fees in the worst case, over the whole life of the session, per native asset. */
  max_spend_total_native: string
  /** The most that all payloads together may spend of each native asset listed, value and fees, in addition to the cap for all. */
  max_spend_total?: Array<AssetCap>
  /** Handles of chains, as `GET /v1/chains` lists them. Empty: none. */
  allowed_chains: Array<string>
  /** `signMessage`: messages, typed data and hashes; `sendTransaction`: transactions and operations. Empty: nothing. */
  allowed_methods: Array<AgentMethod>
  /** Who may receive anything, on any network. For a token transfer, that is the decoded recipient; for vaults, withdrawals and swaps, it is whoever receives the shares or tokens. Missing: everyone. Empty: no one. An entry that isn’t an address on any network is `invalid_request`. */
  allowed_recipients?: Array<string>
  /** Tokens that may be spent, each with its own caps. Missing in all layers: no token, unless the organization’s `token_mode` is `any`. A token that isn’t valid on its chain is `invalid_request`. */
  allowed_tokens?: Array<AllowedToken>
  /** Contracts that may be called, and with which methods. Missing in all layers: none. A contract that isn’t valid on its chain is `invalid_request`. */
  allowed_contracts?: Array<AllowedContract>
  /** The highest fee that one transaction may cost in the worst case, in the smallest unit. Fees also count against the totals. Missing in all layers: the chain’s ceiling, such as 0.05 ETH on Ethereum. */
  max_fee_per_tx_native?: string
  /** The number of transactions and operations, over the whole life of the session. Missing: no limit. */
  max_tx_count?: number
  /** Where the agent may log in with a signed message (Sign-In with Ethereum or Solana): hosts with an optional port, without scheme or path, as the message names them. Missing in all layers: nowhere. */
  allowed_sign_in_domains?: Array<string>
  /** When the session ends and signs nothing any more: RFC 3339, with a time zone. */
  expires_at: string
  /** The TEE wallet that the token signs with. */
  wallet_id: string
  /** Shown in the portal. */
  name: string
  /** Binds the token to an agent of this wallet: the agent’s policy applies too, and the token can give it tasks (A2A, MCP). */
  agent_id?: string
}

/** `SignRequestFor` of the API. */
export type SignRequestFor =
  | {
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
      wallet_id: string
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
