import type { ErrorCode } from './errors.ts'

/** What a developer reads about a code: why it happens, and what to do. Markdown, a paragraph or a list each. */
export type ErrorDoc = { readonly cause: string; readonly remedy: string }

/** The pages at `/docs/errors/<code>`; a code without an entry does not compile. */
export const errorDocs: Readonly<Record<ErrorCode, ErrorDoc>> = {
  invalid_request: {
    cause:
      'The path, query, headers or body do not have the shape that this route takes: a field is missing, unknown or of the wrong type, a number is out of range, or the body is not JSON.',
    remedy:
      'Read `error.details.issues`: each entry has the `path` of a field and a `message`. Fix the request before you send it again. Compare it with the route in the [API reference](../reference/api.md).',
  },
  invalid_payload: {
    cause:
      'The request has the right shape, but what you want signed cannot be decoded exactly: trailing or non-canonical bytes, typed data with values of the wrong type, a transaction of another network, or a sender that is not this wallet.',
    remedy:
      "The message names the part that does not decode. Build the payload with the network's own library and send it in the text form that [Networks](../guides/networks.md) lists for it.",
  },
  invalid_curve: {
    cause:
      'The curve does not fit: the organization has enabled no network of it, or the call needs `secp256k1` (smart accounts do).',
    remedy:
      'Use the other curve, or let an owner enable one of its networks in the portal under **Settings**.',
  },
  invalid_share: {
    cause:
      'A key share is not 33 bytes long, its last byte differs from the index that you gave, or both shares have the same index.',
    remedy:
      'Let the SDK make the shares. If you make them yourself: 32 bytes of y, then the x-coordinate (1 to 255), which is also the index.',
  },
  invalid_signature: {
    cause: 'The signature of the UserOp does not recover to the owner of the smart account.',
    remedy:
      'Sign the `user_op_hash` of the build answer, unchanged, with the wallet that owns the account. After another build, sign its new hash.',
  },
  address_mismatch: {
    cause: 'The address that you gave does not follow from the public key.',
    remedy: 'Derive the address from the key that you send, for the network that `chain_type` names.',
  },
  auth_mode_mismatch: {
    cause:
      'The organization logs its users in with its own OpenID Connect provider, so there are no e-mail codes.',
    remedy:
      "Send your provider's JWT as the bearer token, or change the login mode in the portal under **Settings**. Changing it ends the tokens of the old mode at once.",
  },
  signing_mode_mismatch: {
    cause:
      'The call belongs to the other signing mode. Provider shares and recovery exist in client mode only, signing on the server in TEE mode only.',
    remedy:
      'Look at `signing_mode` in the answer of `POST /v1/wallets/identify`. An organization can change its mode only while it has no wallet.',
  },
  chain_unsupported: {
    cause: 'The chain handle is unknown, or this installation has no node for it.',
    remedy:
      '`GET /v1/chains` lists the handles and says for each whether a node (`rpc`) and a bundler are configured. Operators add one with [`SYMBOLON_RPC__<HANDLE>`](../reference/configuration.md).',
  },
  bad_to: {
    cause: '`to` is not a 0x-prefixed address of 20 bytes, or its EIP-55 checksum is wrong.',
    remedy:
      'Copy the address again. A wrong checksum usually means a typing error: do not just lower-case it.',
  },
  unsupported_tx_type: {
    cause: 'The first byte of `raw_tx` is not 0x02: the transaction is not an EIP-1559 transaction.',
    remedy: 'Prepare the transaction with `POST /v1/wallets/evm/prepare-tx` and sign it as type 2.',
  },
  bad_raw_tx: {
    cause: '`raw_tx` is not 0x hex of a signed transaction, or another wallet has signed it.',
    remedy:
      'Send the `signed_transaction` of the signing answer, unchanged, for the chain that it was prepared for.',
  },
  unauthorized: {
    cause:
      'The credential of this route is missing, malformed, unknown, revoked or that of another organization.',
    remedy:
      'Check which credential the route takes: publishable key and user token, secret key, agent token or portal session. Look for spaces and line ends in copied keys.',
  },
  token_expired: {
    cause: 'The user token, portal session or agent token is past its end. User tokens live for one hour.',
    remedy: 'Log in again, or create a new agent session. There are no refresh tokens.',
  },
  token_revoked: {
    cause:
      'Somebody ended the token before its time: a logout, a revoked agent session, or a changed login mode.',
    remedy: 'Log in again, or create a new agent session. Do not retry with the same token.',
  },
  invalid_code: {
    cause:
      'The code is wrong, older than its lifetime, replaced by a newer one, for another purpose or address, or has had its five attempts.',
    remedy: 'Ask the user to type the newest code. After five wrong ones, send a new code.',
  },
  gas_cap_exceeded: {
    cause:
      'The worst cost of this UserOp is more than what is left of the wallet’s sponsorship for this calendar month (UTC).',
    remedy:
      '`error.details` has `cap_eur` and `left_eur`. Wait for open operations to settle, send the transaction from the wallet itself with its own gas, or wait for the next month.',
  },
  insufficient_scope: {
    cause: 'The secret key has the scope `read`, and this route changes something or signs.',
    remedy: 'Use a key with the scope `full`. Owners and admins create one in the portal under **API keys**.',
  },
  ip_not_allowed: {
    cause: 'The key is restricted to address ranges, and the request comes from another address.',
    remedy:
      'Add the address to the key, or send from a listed one. If a proxy of yours is in between, the operator has to list it in [`TRUSTED_PROXIES`](../reference/configuration.md).',
  },
  origin_not_allowed: {
    cause:
      'A browser sent this request from an origin that the organization has not listed; portal calls take the origin of the platform alone.',
    remedy:
      'Add the exact origin (scheme, host and port) in the portal under **Settings**. Servers send no `Origin` header and are not affected.',
  },
  policy_violation: {
    cause:
      "A policy refuses what the agent wants: the token's own, its agent's template or a rule of the organization.",
    remedy:
      '`error.details` says which: `reason`, `layer`, `rule`, and the `limit` against the `actual` value. Try a change with `dry_run: true` first. [Agents](../guides/agents.md#when-it-says-no) lists all reasons.',
  },
  forbidden: {
    cause:
      'The credential is valid, but not for this: a member whose role is too low, or an agent token on a foreign resource.',
    remedy: 'Ask an owner of the organization for the role that the action needs.',
  },
  not_found: {
    cause:
      'The path does not exist, or the resource does not: never created, deleted, or of another organization. All three look the same on purpose.',
    remedy: 'Check the id and that the credential belongs to the organization that owns it.',
  },
  wallet_not_found: {
    cause: 'The user or the organization has no such wallet.',
    remedy:
      'Create the wallet first with `POST /v1/wallets` or `POST /v1/s2s/wallets`, for the curve that you need.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not for this HTTP method.',
    remedy: 'The `Allow` header of the answer lists the methods that do.',
  },
  wallet_exists: {
    cause:
      'The user already has a wallet on this curve. There is one per user and curve, archived ones included.',
    remedy:
      'Use the wallet in `data`: this is the one error that comes with it. If it is archived, unarchive it with `POST /v1/s2s/wallets/{walletID}/unarchive`.',
  },
  wallet_archived: {
    cause: 'The wallet is archived: it signs nothing and releases no share until it is unarchived.',
    remedy: 'Unarchive it with `POST /v1/s2s/wallets/{walletID}/unarchive` and a key of scope `full`.',
  },
  wallet_not_evm: {
    cause: 'EVM transactions need a `secp256k1` wallet, and this one is `ed25519`.',
    remedy: 'Use the user’s `secp256k1` wallet, or create it.',
  },
  wallet_not_tee_mode: {
    cause:
      'Agent sessions need a wallet that signs in the enclave; the key of this one is in its owner’s browser.',
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
      'The recovery, export or import is not at this step: it was not verified yet, is locked after five wrong codes, or was completed before.',
    remedy: 'Read its state with `GET /v1/wallets/me/recovery/{id}`. A locked process needs a new initiate.',
  },
  slug_taken: {
    cause: 'Another organization has this slug.',
    remedy: 'Choose another one.',
  },
  organization_has_wallets: {
    cause:
      'The signing mode of an organization can change only while it has no wallet, archived ones included.',
    remedy: 'Create another organization with the mode that you need.',
  },
  last_owner: {
    cause: 'This would leave the organization without an owner.',
    remedy: 'Make another member an owner first.',
  },
  idempotency_key_in_flight: {
    cause: 'A request with this `Idempotency-Key` is being processed right now.',
    remedy: 'Wait a moment and repeat the same request with the same key: it gets the first one’s answer.',
  },
  idempotency_key_spent: {
    cause:
      'The first answer to this `Idempotency-Key` had a credential in it (a token, key or secret). Such answers are never stored, so they cannot be repeated.',
    remedy: 'If you lost the answer, revoke what it created and start again with a new key.',
  },
  expired: {
    cause:
      'The process or the operation is past its end: recoveries live for 15 minutes, built UserOps for 10.',
    remedy: 'Start again. What was reserved for it is released.',
  },
  payload_too_large: {
    cause: 'The body is over 256 KiB, or over 64 KiB on a signing route for anything but a transaction.',
    remedy: 'Send less. Large messages are usually hashed by the protocol that they belong to.',
  },
  unsupported_media_type: {
    cause: 'The body is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'This `Idempotency-Key` was used before, with another body.',
    remedy: 'Make a new key for every new intention, and keep it for repeats of the same one.',
  },
  estimate_gas_reverted: {
    cause: 'The contract reverts when the chain simulates the call.',
    remedy:
      'Check the arguments, allowances and balances. If you know better than the simulation, pass `gas_limit` and the estimate is skipped.',
  },
  insufficient_funds: {
    cause: 'The wallet cannot pay for value and gas of this transaction. Nothing was signed or reserved.',
    remedy: 'The message has both amounts. Fund the wallet, or send less.',
  },
  no_email: {
    cause: "The login's token has no verified e-mail address, so there is nowhere to send a code to.",
    remedy:
      'Have your identity provider send `email` with `email_verified: true`, or vouch for it with the setting `trust_email`.',
  },
  rate_limited: {
    cause: 'More requests than the limit of this route, key, user, address or organization allows.',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat. `RateLimit-Remaining` and `RateLimit-Reset` tell you before it happens.',
  },
  internal: {
    cause: 'A fault on our side. The log has its details, the answer does not.',
    remedy:
      'Repeat the request with the same `Idempotency-Key`. If it stays, give the operator the `X-Request-Id` of the answer.',
  },
  rpc_failed: {
    cause: 'No node of the chain gave a usable answer.',
    remedy: 'Repeat it after a moment. Operators: list more than one node for the chain.',
  },
  broadcast_failed: {
    cause: 'The node refused the transaction; the message has its reason (nonce, fee, balance).',
    remedy: 'Prepare and sign the transaction again with the current nonce and fees.',
  },
  bundler_rejected: {
    cause: 'The bundler refused the UserOp; the message has its reason.',
    remedy:
      'Build the operation again. If a paymaster or the account is named, check its deposit and its state.',
  },
  bundler_failed: {
    cause: 'The bundler of this chain did not answer.',
    remedy: 'Repeat it after a moment: submitting the same operation twice does no harm.',
  },
  recovery_webhook_failed: {
    cause:
      'Your recovery webhook could not be reached, answered no 2xx, or answered a share of the wrong length, index or version. Nothing has changed.',
    remedy:
      'Look at the calls in the portal under **Recovery webhook**, fix the receiver and repeat. A right code stays usable. [Recovery webhook](../guides/recovery-webhook.md) has the format.',
  },
  unavailable: {
    cause: 'Database, key management or enclave are out of reach. Nothing half-done is left behind.',
    remedy:
      'Repeat after the seconds in `Retry-After`, with the same `Idempotency-Key`. `/v1/ready` names the part.',
  },
}
