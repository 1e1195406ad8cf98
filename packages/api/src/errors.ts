/** What a code answers with: its one HTTP status, and a message that is safe to show to an end user. */
export type ErrorEntry = { readonly status: number; readonly message: string }

/**
 * Every error the service can answer with; server, SDK, OpenAPI document and reference read this one list.
 * Statuses and codes: HTTP API "Errors" and the decisions' wire conventions. One code has one status.
 */
export const errors = {
  invalid_request: { status: 400, message: 'The request is invalid.' },
  invalid_payload: { status: 400, message: 'The payload to sign cannot be decoded.' },
  invalid_curve: { status: 400, message: 'This curve is not available here.' },
  invalid_share: { status: 400, message: 'A share has the wrong length or index.' },
  invalid_signature: { status: 400, message: 'The signature does not belong to the owner of this wallet.' },
  address_mismatch: { status: 400, message: 'The address does not match the public key.' },
  auth_mode_mismatch: { status: 400, message: 'This organization does not log in by email code.' },
  signing_mode_mismatch: {
    status: 400,
    message: 'This call needs an organization of the other signing mode.',
  },
  chain_unsupported: { status: 400, message: 'This chain is not supported.' },
  bad_to: { status: 400, message: 'The recipient is not a 0x-prefixed 20-byte address.' },
  unsupported_tx_type: { status: 400, message: 'Only EIP-1559 transactions (type 0x02) can be sent.' },
  bad_raw_tx: { status: 400, message: 'The signed transaction is not valid for this wallet.' },

  unauthorized: { status: 401, message: 'The credential is missing or invalid.' },
  token_expired: { status: 401, message: 'The login or token has expired. Get a new one.' },
  token_revoked: { status: 401, message: 'The login or token was revoked. Get a new one.' },
  invalid_code: { status: 401, message: 'The code is wrong or has expired.' },

  gas_cap_exceeded: { status: 402, message: "This month's gas sponsorship is used up." },

  insufficient_scope: { status: 403, message: 'This key is read-only. Use one with full access.' },
  ip_not_allowed: { status: 403, message: 'This key is not allowed from your IP address.' },
  origin_not_allowed: { status: 403, message: 'This origin is not allowed.' },
  policy_violation: { status: 403, message: 'The policy does not allow this.' },
  forbidden: { status: 403, message: 'This credential does not allow this.' },
  export_disabled: { status: 403, message: 'Private keys cannot be exported here.' },

  not_found: { status: 404, message: 'Not found.' },
  wallet_not_found: { status: 404, message: 'Wallet not found.' },
  method_not_allowed: { status: 405, message: 'This address takes another HTTP method.' },

  email_ambiguous: { status: 409, message: 'Several users have this email address.' },
  wallet_exists: { status: 409, message: 'The wallet already exists.' },
  wallet_archived: { status: 409, message: 'The wallet is archived.' },
  state_rolled_back: {
    status: 409,
    message: 'This state is older than one that was seen before, so nothing is signed.',
  },
  wallet_not_evm: { status: 409, message: 'The wallet cannot be used on EVM chains.' },
  wallet_not_tee_mode: { status: 409, message: 'The wallet does not sign in TEE mode.' },
  smart_account_not_provisioned: {
    status: 409,
    message: 'The wallet has no smart account on this chain yet.',
  },
  agent_archived: { status: 409, message: 'The agent is archived.' },
  process_state: { status: 409, message: 'The recovery is not at the step that this call needs.' },
  recovery_delayed: {
    status: 409,
    message: 'This device is new, so the recovery has to wait. We sent you an email.',
  },
  export_delayed: {
    status: 409,
    message: 'This device is new, so the export has to wait. We sent you an email.',
  },
  slug_taken: { status: 409, message: 'This slug is taken.' },
  organization_has_wallets: { status: 409, message: 'The organization already has wallets.' },
  last_owner: { status: 409, message: 'An organization must keep at least one owner.' },
  idempotency_key_in_flight: {
    status: 409,
    message: 'A request with this idempotency key is still running. Try again.',
  },
  idempotency_key_spent: { status: 409, message: 'The answer to this idempotency key cannot be repeated.' },

  expired: { status: 410, message: 'This has expired. Start again.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'The idempotency key was used with another body. Use a new key.',
  },
  estimate_gas_reverted: { status: 422, message: 'The call reverts on the chain.' },
  insufficient_funds: { status: 422, message: 'The wallet does not have enough funds.' },
  no_email: { status: 424, message: 'The login has no email address.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again later.' },

  internal: { status: 500, message: 'Something went wrong.' },
  rpc_failed: { status: 502, message: 'The chain did not answer. Try again.' },
  broadcast_failed: { status: 502, message: 'The chain refused the transaction.' },
  bundler_rejected: { status: 502, message: 'The bundler refused the operation.' },
  bundler_failed: { status: 502, message: 'The bundler did not answer. Try again.' },
  recovery_webhook_failed: { status: 502, message: 'The recovery webhook failed. Try again.' },
  unavailable: { status: 503, message: 'The service is not available right now. Try again.' },
  enclave_ring_mismatch: {
    status: 503,
    message: 'The service cannot reach its signing keys right now.',
  },
} as const satisfies Record<string, ErrorEntry>

/** The name of an error on the wire. */
export type ErrorCode = keyof typeof errors
