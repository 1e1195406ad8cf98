import type { ErrorCode } from './errors.ts'

/** What a developer reads about a code: why it happens, and what to do. Markdown, a paragraph or a list each. */
export type ErrorDoc = { readonly cause: string; readonly remedy: string }

/** The pages at `/docs/errors/<code>`; a code without an entry does not compile. */
export const errorDocs: Readonly<Record<ErrorCode, ErrorDoc>> = {
  invalid_request: {
    cause:
      'The path, query, headers or body do not have the shape that this route expects: a field is missing, unknown or of the wrong type, a number is out of range, or the body is not JSON.',
    remedy:
      'Read `error.details.issues`: each entry has the `path` of a field and a `message`. Fix the request before you send it again. Compare it with the route in the [API reference](../reference/api.md).',
  },
  invalid_payload: {
    cause:
      'The request has the right shape, but the payload to sign cannot be decoded exactly: trailing or non-canonical bytes, typed data with values of the wrong type, a transaction of another network, or a sender that is not this wallet.',
    remedy:
      "The message names the part that does not decode. Build the payload with the network's own library and send it in the text form that [Networks](../guides/networks.md) lists for it.",
  },
  invalid_curve: {
    cause:
      'The organization has not enabled any network of this curve, or the call needs a `secp256k1` wallet (smart accounts do).',
    remedy:
      'Use the other curve. An organization chooses its networks when it is created and cannot change them; the portal lists them under **Networks**.',
  },
  invalid_share: {
    cause:
      'A key share is not 33 bytes long, its last byte differs from the index that you gave, or both shares have the same index.',
    remedy:
      'Let the SDK create the shares. If you create them yourself, a share is 32 bytes of y, then the x-coordinate (1 to 255), which is also its index.',
  },
  invalid_signature: {
    cause: 'The address recovered from the signature of the UserOp is not the owner of the smart account.',
    remedy:
      'Sign the `user_op_hash` that the build call returned, unchanged, with the wallet that owns the account. If you build again, sign the new hash.',
  },
  address_mismatch: {
    cause: 'The address that you sent is not the address of the public key.',
    remedy: 'Derive the address from the key that you send, for the network that `chain_type` names.',
  },
  auth_mode_mismatch: {
    cause:
      'The organization logs its users in with its own OpenID Connect provider, so there are no email codes.',
    remedy:
      "Send your provider's JWT as the bearer token, or change the login method in the portal under **Authentication**. Changing it immediately ends the tokens of the old method.",
  },
  signing_mode_mismatch: {
    cause:
      'The call belongs to the other signing mode. Provider shares and recovery exist only in client mode, signing on the server only in TEE mode.',
    remedy:
      'Check `signing_mode` in the response of `POST /v1/wallets/identify`. An organization can change its mode only while it has no wallets.',
  },
  chain_unsupported: {
    cause: 'The chain handle is unknown, or this installation has no node for it.',
    remedy:
      '`GET /v1/chains` lists the handles and says for each whether a node (`rpc`) and a bundler are configured. Operators add one with [`SYMBOLON_RPC__<HANDLE>`](../reference/configuration.md).',
  },
  bad_to: {
    cause: '`to` is not a 0x-prefixed address of 20 bytes, or its EIP-55 checksum is wrong.',
    remedy:
      'Copy the address again. A wrong checksum usually means a typing error, so don’t just convert the address to lower case.',
  },
  unsupported_tx_type: {
    cause: 'The first byte of `raw_tx` is not 0x02: the transaction is not an EIP-1559 transaction.',
    remedy: 'Prepare the transaction with `POST /v1/wallets/evm/prepare-tx` and sign it as type 2.',
  },
  bad_raw_tx: {
    cause: '`raw_tx` is not 0x hex of a signed transaction, or another wallet has signed it.',
    remedy:
      'Send the `signed_transaction` that the signing call returned, unchanged, for the chain that it was prepared for.',
  },
  unauthorized: {
    cause:
      'The credential for this route is missing, malformed, unknown or revoked, or it belongs to another organization.',
    remedy:
      'Check which credential the route takes: publishable key and user token, secret key, agent token or portal session. Look for spaces and line breaks in copied keys. If `error.details.credential` is `publishable_key`, the key beside the user’s token is refused, not the login.',
  },
  token_expired: {
    cause: 'The user token, portal session or agent token has expired. User tokens are valid for one hour.',
    remedy: 'Log in again, or create a new agent session. There are no refresh tokens.',
  },
  token_revoked: {
    cause:
      'The token was ended before it expired: a logout, a revoked agent session, or a changed login mode.',
    remedy: 'Log in again, or create a new agent session. Do not retry with the same token.',
  },
  invalid_code: {
    cause:
      'The code is wrong, has expired, was replaced by a newer one, was sent for another purpose or address, or has had its five attempts.',
    remedy: 'Ask the user to enter the newest code. After five wrong attempts, send a new code.',
  },
  gas_cap_exceeded: {
    cause:
      'The highest possible cost of this UserOp exceeds what is left for this calendar month (UTC): of the wallet’s sponsorship, of what all wallets of its organization have together, or of what all organizations of the installation have together.',
    remedy:
      '`error.details` has `cap_eur` and `left_eur`. Wait for open operations to settle, send the transaction from the wallet itself, which pays its own gas, or wait for the next month. If the message names the organization or the installation, an operator of the installation can raise that limit (`symbolon org quota`).',
  },
  insufficient_scope: {
    cause: 'The secret key has the scope `read`, and this route changes something or signs.',
    remedy:
      'Use a key with the scope `full`. Developers, admins and owners can create one in the portal under **API keys**.',
  },
  ip_not_allowed: {
    cause: 'The key is restricted to address ranges, and the request comes from another address.',
    remedy:
      'Add the address to the key, or send from a listed one. If your requests pass through a proxy in front of the platform, its operator has to list the proxy in [`TRUSTED_PROXIES`](../reference/configuration.md).',
  },
  origin_not_allowed: {
    cause:
      '- With a publishable key, or at an MCP endpoint: a browser sent the request from an origin that the organization has not listed. Without an `Origin` header, as servers call, it passes.\n- At a portal route, which a session cookie opens: a call that changes something has another `Origin` than the platform’s own, or none.',
    remedy:
      '- With a publishable key, or at an MCP endpoint: add the exact origin (scheme, host and port) in the portal under **Settings**, **Allowed origins**.\n- At a portal route: use the portal. Listing an origin does not open these routes to other pages. A script that calls them with a session cookie sends the header `Origin` with the origin of the platform’s URL; the message has it.',
  },
  policy_violation: {
    cause:
      "A policy refuses what the agent asked for: the session's own limits, its agent's policy or the organization's rules.",
    remedy:
      '`error.details` says which one: it has `reason`, `layer` and `rule`, and the `limit` next to the `actual` value. Try a change with `dry_run: true` first. The [policy reference](../reference/policy.md#reasons) lists all reasons and what to do.',
  },
  forbidden: {
    cause:
      'The credential is valid, but not for this: the member’s role is not high enough, or the agent token is used on a resource that is not its own. For an order to the enclave: its manifest does not name the operator, or the order is not valid for this boot.',
    remedy:
      'Ask an owner of the organization for the role that the action needs. For an order to the enclave, run the command again with the key of an operator in the manifest.',
  },
  not_found: {
    cause:
      'The path does not exist, or the resource does not: never created, deleted, or owned by another organization. All three look the same on purpose.',
    remedy: 'Check the id and that the credential belongs to the organization that owns it.',
  },
  wallet_not_found: {
    cause: 'The user or organization has no such wallet.',
    remedy:
      'Create the wallet first with `POST /v1/wallets` or `POST /v1/s2s/wallets`, for the curve that you need.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not for this HTTP method.',
    remedy: 'The `Allow` header of the response lists the methods that it accepts.',
  },
  email_ambiguous: {
    cause:
      'The organization logs its users in with its own identity provider, and several of them have this address. We never guess which one you mean.',
    remedy: 'Name the user by `provider_user_id`: the subject (`sub`) at your identity provider.',
  },
  wallet_exists: {
    cause:
      'The user already has a wallet on this curve. Each user has at most one per curve, archived ones included.',
    remedy:
      'Use the wallet in `data`: this is the only error that comes with data. If it is archived, unarchive it with `POST /v1/s2s/wallets/{walletID}/unarchive`.',
  },
  wallet_archived: {
    cause: 'The wallet is archived: it signs nothing and releases no share until it is unarchived.',
    remedy: 'Unarchive it with `POST /v1/s2s/wallets/{walletID}/unarchive` and a key of scope `full`.',
  },
  state_rolled_back: {
    cause:
      'The database is behind what the enclave saw: an older backup was loaded beside a running enclave, or somebody changed rows. `details.what` says where: `session` (it was revoked), `policy`, `rules` (a later version was seen), `wallet` (it was archived), `budget` (the session signed more than the database remembers) or `boot` (the enclave restarted, and its operators have not accepted its state yet; nothing has to be wrong with the database).',
    remedy:
      'Tell whoever operates the installation: the database has to be put right. Load backups with `symbolon restore`, which ends all sessions. Then mint a new one. For `boot`, only this is needed: enough operators sign `symbolon enclave accept-state`.',
  },
  wallet_not_evm: {
    cause: 'EVM transactions need a `secp256k1` wallet, and this one is `ed25519`.',
    remedy: 'Use the user’s `secp256k1` wallet, or create it.',
  },
  wallet_not_tee_mode: {
    cause: 'Agent sessions need a wallet that signs in the enclave; this one signs in its owner’s browser.',
    remedy: 'Use a wallet of an organization in TEE mode.',
  },
  smart_account_not_provisioned: {
    cause: 'The wallet has no smart account on this chain.',
    remedy: 'Call `POST /v1/wallets/me/smart-accounts` with the chain first. It is idempotent.',
  },
  agent_archived: {
    cause: 'The agent is archived: it takes no runs, sessions, tasks or hooks.',
    remedy: 'Use another agent, or create a new one.',
  },
  process_state: {
    cause:
      'The recovery, export or import is not at this step: it is not verified yet, is locked after five wrong codes, or is already completed. For a share refresh, the shares have changed since you read the wallet.',
    remedy:
      'Read the state of a recovery with `GET /v1/wallets/me/recovery/{recovery_process_id}`. If the process is locked or completed, start a new one. For a refresh, read the wallet again.',
  },
  recovery_delayed: {
    cause:
      'The code is right, but the device is new to the user, and the organization delays recoveries from new devices (`high_risk_delay_seconds`). The user got an email with a link to cancel the recovery.',
    remedy:
      'Show the user `error.details.ready_at`. For 24 hours from then on, the same call with the same code from the same device succeeds. The header `X-Service-Device`, which the wallet frame sends, names the device; without it, every call counts as from a new device.',
  },
  export_delayed: {
    cause:
      'The code is right, but the device is new to the user, and the organization delays exports from new devices (`high_risk_delay_seconds`). The user got an email with a link to cancel the export.',
    remedy:
      'Show the user `error.details.ready_at`. For 24 hours from then on, the same call with the same code from the same device succeeds. The header `X-Service-Device`, which the wallet frame sends, names the device; without it, every call counts as from a new device.',
  },
  export_disabled: {
    cause: 'The organization does not let users export the private keys of their wallets.',
    remedy:
      'Do not offer the export. An owner or admin of the organization can allow it in the portal under **Settings**, or with `export_enabled` on `PATCH /v1/orgs/{orgID}`.',
  },
  slug_taken: {
    cause: 'Another organization has this slug.',
    remedy: 'Choose another one.',
  },
  organization_has_wallets: {
    cause:
      'The signing mode of an organization can change only while it has no wallets; archived ones count.',
    remedy: 'Create another organization with the mode that you need.',
  },
  last_owner: {
    cause: 'This would leave the organization without an owner.',
    remedy: 'Make another member an owner first.',
  },
  idempotency_key_in_flight: {
    cause: 'A request with this `Idempotency-Key` is being processed right now.',
    remedy:
      'Wait a moment, then repeat the same request with the same key: you get the answer to the first one.',
  },
  idempotency_key_spent: {
    cause:
      'The first answer to this `Idempotency-Key` contained a credential (a token, key or secret), and such answers are never stored. Or the first request took effect, and its answer was lost because the process that served it died. Either way, the request is not run again.',
    remedy:
      'Look up what the first request did. If it created a credential that you do not have, revoke it. Then continue with a new key.',
  },
  expired: {
    cause: 'The process or operation has expired: recoveries are valid for 15 minutes, built UserOps for 10.',
    remedy: 'Start again. What was reserved for it is released.',
  },
  payload_too_large: {
    cause: 'The body is over 256 KiB, or over 64 KiB on a signing route for anything but a transaction.',
    remedy: 'Send a smaller body. Protocols with large messages usually sign a hash of them.',
  },
  unsupported_media_type: {
    cause: 'The body is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'This `Idempotency-Key` was used before, with another body.',
    remedy: 'Use a new key for every new operation, and the same key only to repeat an operation.',
  },
  estimate_gas_reverted: {
    cause:
      "The contract reverts when the chain simulates the call, or the account cannot pay for it. The message is the contract's own reason, or says how much is missing.",
    remedy:
      'After a revert, `error.details` has `reason` and `data`, which you can decode with the ABI of the contract. If the account lacks funds, it has `needed`, `balance` and `asset`. Check the arguments, allowances and balances. If you know that the call will succeed anyway, pass `gas_limit` to skip the estimate.',
  },
  insufficient_funds: {
    cause: 'The wallet cannot pay the value and gas of this transaction. Nothing was signed or reserved.',
    remedy: '`error.details` has `needed`, `balance` and `asset`. Fund the wallet, or send less.',
  },
  no_email: {
    cause: "The user's token has no verified email address, so there is nowhere to send a code.",
    remedy:
      'Have your identity provider include `email` and `email_verified: true` in its tokens. If it never sends `email_verified`, you can vouch for its addresses with `auth_config.trust_email`.',
  },
  rate_limited: {
    cause: 'You sent more requests than the limit of this route, key, user, address or organization allows.',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat. `RateLimit-Remaining` and `RateLimit-Reset` show how close you are to the limit.',
  },
  internal: {
    cause: 'A fault in the platform. Its log has the details; the response does not.',
    remedy:
      'Repeat the request with the same `Idempotency-Key`. If it keeps failing, give the operator the `X-Request-Id` of the response.',
  },
  rpc_failed: {
    cause: 'No node of the chain gave a usable answer.',
    remedy: 'Try again after a moment. Operators: configure more than one node for the chain.',
  },
  broadcast_failed: {
    cause:
      'The node refused the transaction and the message has its reason (nonce, fee, balance), or no node answered.',
    remedy:
      'After a refusal, prepare and sign the transaction again with the current nonce and fees. If no node answered, send the same transaction again: that is safe.',
  },
  bundler_rejected: {
    cause: 'The bundler refused the UserOp; the message has its reason.',
    remedy:
      'Build the operation again. If the reason names a paymaster or the account, check its deposit and state.',
  },
  bundler_failed: {
    cause: 'The bundler of this chain did not answer.',
    remedy: 'Try again after a moment: it is safe to submit the same operation twice.',
  },
  recovery_webhook_failed: {
    cause:
      'Your recovery webhook could not be reached, did not answer 2xx, or returned a share of the wrong length, index or version. Nothing has changed.',
    remedy:
      'Look at the calls in the portal under **Recovery**, fix the receiver and repeat the request. A correct code stays valid. [Recovery webhook](../guides/recovery-webhook.md) has the format.',
  },
  unavailable: {
    cause: 'The database, the key management or the enclave cannot be reached. Nothing is left half done.',
    remedy:
      'Repeat after the seconds in `Retry-After`, with the same `Idempotency-Key`. `/v1/ready` names the part that is missing.',
  },
  enclave_ring_mismatch: {
    cause:
      'The enclave has no key ring, the ring of another installation, or an older state of the right one. TEE wallets cannot sign, and nothing new is sealed under a wrong ring.',
    remedy:
      'Compare `ring_id` and `expected_ring_id` in `details.components.enclave`, and put the ring of this installation back. In development it is the file that `dev.json` names as `enclave_root`. No restart is needed.',
  },
}
