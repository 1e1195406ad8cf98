import type { SignMode } from './sign-mode.ts'

/** A message to sign; the fields after `message` belong to single networks (`Network.message.fields`). */
export type MessageIntent = {
  kind: 'message'
  network: string
  chain: string
  message: Uint8Array
  /** Solana: signs the bare bytes. */
  scheme?: 'raw'
  /** Solana: 32 bytes, default zeros. */
  applicationDomain?: Uint8Array
  /** Near: 32 bytes. Aptos: a text. */
  nonce?: Uint8Array | string
  /** Near: whom the message is for. */
  recipient?: string
  /** Near: where a wallet would return to. */
  callbackUrl?: string
  /** EVM: signed for the wallet's smart account (ERC-1271). */
  smartAccount?: true
}

/**
 * What is to be signed, complete and deterministic: the API process and the enclave derive the same digest
 * from it. `chain` is a handle of `chains`; `bytes` is the unsigned transaction in its network's own form, with
 * `signMode` the amino JSON document of a Cosmos transaction.
 */
export type SignIntent =
  | MessageIntent
  | { kind: 'typed_data'; chain: string; typedData: string; smartAccount?: true }
  | { kind: 'transaction'; network: string; chain: string; bytes: Uint8Array; signMode?: SignMode }
  | { kind: 'hash'; chain: string; hash: Uint8Array }
  | { kind: 'user_operation'; chain: string; hash: Uint8Array }
  | { kind: 'authorization'; chain: string; chainId: bigint; contract: Uint8Array; nonce: bigint }
