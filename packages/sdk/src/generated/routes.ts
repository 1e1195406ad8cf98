// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type {
  BroadcastedTx,
  BuiltUserOp,
  Chains,
  Curve,
  ExportedKey,
  Identity,
  KeyExport,
  KeyExportStart,
  KeyImportStart,
  Login,
  PreparedTx,
  ProviderShare,
  ReceiptPage,
  RecoveredShares,
  RecoveryProcess,
  RecoveryStart,
  SignResponse,
  SmartAccount,
  SmartAccounts,
  UserOpStatus,
  Wallet,
  Wallets,
} from './answers.ts'
import type {
  BroadcastTx,
  BuildUserOp,
  CompleteKeyExport,
  CompleteKeyImport,
  CompleteRecovery,
  CreateSmartAccount,
  CreateWallet,
  InitiateKeyTransfer,
  InitiateRecovery,
  PrepareTx,
  RefreshShares,
  SignRequest,
  StartEmailOtp,
  SubmitUserOp,
  VerifyEmailOtp,
  VerifyRecovery,
} from './requests.ts'

type PublishablePost =
  | 'auth_mode_mismatch'
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'internal'
  | 'invalid_request'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

type WalletPost =
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'internal'
  | 'invalid_request'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'token_expired'
  | 'token_revoked'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

type WalletGet =
  | 'internal'
  | 'origin_not_allowed'
  | 'token_expired'
  | 'token_revoked'
  | 'unauthorized'
  | 'unavailable'

type PublishableOrSecretGet =
  | 'internal'
  | 'ip_not_allowed'
  | 'origin_not_allowed'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'

/** Every route for browsers, by method and path. Without data (204) `data` is null. */
export type Routes = {
  /** Email a login code. */
  'POST /v1/wallets/auth/email-otp/start': {
    body: StartEmailOtp
    data: null
    code: PublishablePost
  }
  /** Exchange a login code for a token. */
  'POST /v1/wallets/auth/email-otp/verify': {
    body: VerifyEmailOtp
    data: Login
    code: PublishablePost | 'invalid_code'
  }
  /** Read the logged-in user. */
  'POST /v1/wallets/identify': {
    data: Identity
    code: WalletPost
  }
  /** Revoke the token. */
  'POST /v1/wallets/me/logout': {
    data: null
    code: WalletPost
  }
  /** Read the newest active wallet. */
  'GET /v1/wallets/me': {
    query: {
      curve?: Curve
    }
    data: Wallet
    code: WalletGet | 'wallet_not_found' | 'invalid_curve' | 'invalid_request'
  }
  /** Read all wallets, archived ones included. */
  'GET /v1/wallets/me/all': {
    data: Wallets
    code: WalletGet
  }
  /** Create a wallet. */
  'POST /v1/wallets': {
    body: CreateWallet
    data: Wallet
    code:
      | WalletPost
      | 'wallet_exists'
      | 'signing_mode_mismatch'
      | 'invalid_curve'
      | 'address_mismatch'
      | 'invalid_share'
      | 'recovery_webhook_failed'
  }
  /** Read the provider share. */
  'POST /v1/wallets/me/shares/provider': {
    query: {
      curve?: Curve
      purpose?: 'sign' | 'export' | 'refresh'
    }
    data: ProviderShare
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'export_disabled'
      | 'invalid_curve'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'rate_limited'
  }
  /** Replace the shares of a wallet. */
  'POST /v1/wallets/me/shares/refresh': {
    body: RefreshShares
    data: Wallet
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_curve'
      | 'invalid_share'
      | 'invalid_signature'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'process_state'
      | 'recovery_webhook_failed'
      | 'rate_limited'
  }
  /** Start a recovery. */
  'POST /v1/wallets/me/recovery/initiate': {
    body: InitiateRecovery | undefined
    data: RecoveryStart
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_curve'
      | 'no_email'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'rate_limited'
  }
  /** Exchange a recovery code for the shares. */
  'POST /v1/wallets/me/recovery/{recovery_process_id}/verify': {
    params: {
      recovery_process_id: string
    }
    body: VerifyRecovery
    data: RecoveredShares
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_code'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'process_state'
      | 'expired'
      | 'recovery_delayed'
      | 'rate_limited'
      | 'recovery_webhook_failed'
      | 'not_found'
  }
  /** Finish a recovery with new shares. */
  'POST /v1/wallets/me/recovery/{recovery_process_id}/complete': {
    params: {
      recovery_process_id: string
    }
    body: CompleteRecovery
    data: null
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_share'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'process_state'
      | 'expired'
      | 'recovery_webhook_failed'
      | 'not_found'
  }
  /** Read the state of a recovery. */
  'GET /v1/wallets/me/recovery/{recovery_process_id}': {
    params: {
      recovery_process_id: string
    }
    data: RecoveryProcess
    code: WalletGet | 'signing_mode_mismatch' | 'wallet_not_found' | 'not_found'
  }
  /** Start the export of a private key. */
  'POST /v1/wallets/me/export/initiate': {
    body: InitiateKeyTransfer | undefined
    data: KeyExportStart
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'export_disabled'
      | 'invalid_curve'
      | 'no_email'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'rate_limited'
  }
  /** Exchange an export code for the sealed private key. */
  'POST /v1/wallets/me/export/complete': {
    body: CompleteKeyExport
    data: ExportedKey
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_code'
      | 'not_found'
      | 'wallet_archived'
      | 'process_state'
      | 'expired'
      | 'export_disabled'
      | 'export_delayed'
      | 'rate_limited'
  }
  /** Read the state of an export. */
  'GET /v1/wallets/me/export/{export_id}': {
    params: {
      export_id: string
    }
    data: KeyExport
    code: WalletGet | 'signing_mode_mismatch' | 'not_found'
  }
  /** Start the import of a private key. */
  'POST /v1/wallets/me/import/initiate': {
    body: InitiateKeyTransfer | undefined
    data: KeyImportStart
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_curve'
      | 'no_email'
      | 'wallet_exists'
      | 'rate_limited'
  }
  /** Import a private key with the emailed code. */
  'POST /v1/wallets/me/import/complete': {
    body: CompleteKeyImport
    data: Wallet
    code:
      | WalletPost
      | 'signing_mode_mismatch'
      | 'invalid_code'
      | 'invalid_payload'
      | 'not_found'
      | 'wallet_exists'
      | 'process_state'
      | 'expired'
      | 'rate_limited'
  }
  /** Sign with the user's wallet. */
  'POST /v1/wallets/me/sign': {
    body: SignRequest
    data: SignResponse
    code:
      | WalletPost
      | 'invalid_payload'
      | 'invalid_curve'
      | 'chain_unsupported'
      | 'signing_mode_mismatch'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'state_rolled_back'
      | 'rate_limited'
  }
  /** List the receipts of the user's wallets, oldest first. */
  'GET /v1/wallets/me/receipts': {
    query: {
      /** Lists what comes after this cursor. Defaults to 0. */
      after?: number
      /** The receipt key: see `GET /v1/attestation/keys/{kid}`. */
      kid?: string
      wallet_id?: string
      limit?: number
    }
    data: ReceiptPage
    code: WalletGet | 'invalid_request'
  }
  /** Prepare an EVM transaction of the wallet. */
  'POST /v1/wallets/evm/prepare-tx': {
    body: PrepareTx
    data: PreparedTx
    code:
      | WalletPost
      | 'chain_unsupported'
      | 'wallet_not_found'
      | 'wallet_not_evm'
      | 'wallet_archived'
      | 'bad_to'
      | 'estimate_gas_reverted'
      | 'rpc_failed'
      | 'rate_limited'
  }
  /** Broadcast a signed EVM transaction of the wallet. */
  'POST /v1/wallets/evm/broadcast-tx': {
    body: BroadcastTx
    data: BroadcastedTx
    code:
      | WalletPost
      | 'chain_unsupported'
      | 'wallet_not_found'
      | 'wallet_not_evm'
      | 'wallet_archived'
      | 'unsupported_tx_type'
      | 'bad_raw_tx'
      | 'broadcast_failed'
      | 'rate_limited'
  }
  /** Read the smart accounts of the user's wallet, on all chains. */
  'GET /v1/wallets/me/smart-accounts': {
    data: SmartAccounts
    code: WalletGet | 'wallet_not_found'
  }
  /** Provision a smart account for the user's wallet. */
  'POST /v1/wallets/me/smart-accounts': {
    body: CreateSmartAccount
    data: SmartAccount
    code:
      | WalletPost
      | 'chain_unsupported'
      | 'invalid_curve'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'rpc_failed'
  }
  /** Build an operation of a smart account. */
  'POST /v1/userop/build': {
    body: BuildUserOp
    data: BuiltUserOp
    code:
      | WalletPost
      | 'chain_unsupported'
      | 'bad_to'
      | 'gas_cap_exceeded'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'smart_account_not_provisioned'
      | 'estimate_gas_reverted'
      | 'bundler_rejected'
      | 'bundler_failed'
      | 'rpc_failed'
      | 'rate_limited'
  }
  /** Submit a built operation with the signature of its owner. */
  'POST /v1/userop/submit': {
    body: SubmitUserOp
    data: UserOpStatus
    code:
      | WalletPost
      | 'invalid_signature'
      | 'not_found'
      | 'wallet_archived'
      | 'expired'
      | 'bundler_rejected'
      | 'bundler_failed'
      | 'rpc_failed'
      | 'rate_limited'
  }
  /** Read the status of a submitted operation. */
  'GET /v1/userop/{hash}': {
    params: {
      hash: string
    }
    data: UserOpStatus
    code: WalletGet | 'not_found'
  }
  /** List the chains. */
  'GET /v1/chains': {
    data: Chains
    code: PublishableOrSecretGet
  }
}
