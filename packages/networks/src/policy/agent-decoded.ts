import type { Chain } from '../chain.ts'
import type { Effect } from '../effect.ts'
import type { SigningDigest } from '../signature.ts'
import type { SignIn } from './sign-in.ts'

/** What a policy calls a signature: a message (typed data and bare hashes too), or whatever becomes a transaction. */
export type AgentMethod = 'signMessage' | 'sendTransaction'

/**
 * Why a payload is refused for every agent, whatever its policy allows (agents.md "Policy", traps): found while decoding.
 * A subset of the reasons of `@symbolon/policy`.
 */
export type AgentTrap =
  | 'account_admin_not_allowed'
  | 'approval_not_allowed'
  | 'authorization_not_allowed'
  | 'contract_call_not_allowed'
  | 'contract_creation_not_allowed'
  | 'message_not_allowed'
  | 'message_is_transaction'
  | 'payload_undecodable'
  | 'raw_hash_not_allowed'
  | 'typed_data_not_allowed'

/** An account that holds one token for somebody, and the program that keeps it. */
export type TokenAccount = { readonly address: string; readonly program: string }

/** One effect of a payload as a policy evaluates it. */
export type AgentEffect = Effect & {
  /** `asset` is the chain's native asset (its symbol); otherwise a token id, or null. */
  readonly isNative: boolean
  /**
   * The contract that is called and the selector (0x and 8 hex digits, or the name of the method; null: none, as by a bare transfer): `call` and
   * `unknown` only. `selectors` are others that the same call goes by.
   */
  readonly contract: string | null
  readonly selector: string | null
  readonly selectors?: readonly string[]
  /** The call is handed the wallet's own signature: only a method that is named may be. */
  readonly mustBeNamed?: true
  /** An unknown call of which the bytes say who gets what it makes: that is `to`, if it is not the sender. */
  readonly hasReceivers?: true
  /** Native value that goes along with a call of `to`, which uses it: who may be called needs to be no recipient of that. */
  readonly isAttached?: true
  /** `to` is an account of the wallet's own: nobody is paid, and `amount` is what is bound there, if anything. */
  readonly isOwn?: true
  /** The token account that a transfer of Solana goes to. Where `to` is its address, the bytes do not name who holds it. */
  readonly tokenAccount?: TokenAccount
}

/**
 * A payload taken apart for a policy. `chains` are the handles that its signature is good on, the asked one first: Bitcoin,
 * Tron, Solana and Near bytes carry no chain id, so that their main and test handles are one chain. `fee` is what the wallet
 * or its smart account pays at worst in the native asset; null where somebody else pays or nothing is paid.
 */
export type AgentDecoded = {
  readonly chain: Chain
  readonly chains: readonly string[]
  readonly effects: readonly AgentEffect[]
  readonly fee: bigint | null
  readonly trap: AgentTrap | null
  /** A message by which its signer logs in. */
  readonly signIn?: SignIn
  /** The bytes whose SHA-256 names the payload in events: unsigned transaction, message payload, hash. */
  readonly payload: Uint8Array
  /** What is signed, in order; none of a message that is refused and that its network does not sign. */
  readonly signed: readonly SigningDigest[]
  /** The payloads of `signed`, joined: equal for two requests exactly when their signatures are equal. */
  readonly digests: Uint8Array
}

/**
 * A stored half-built operation of the wallet's smart account, as the API hands it to the enclave beside a
 * `user_operation` or a 32-byte message: JSON of `userOperationJson` with `chain`. The enclave proves that its hash is the one signed.
 */
export type StoredOperation = { readonly chain: string; readonly operation: Readonly<Record<string, string>> }
