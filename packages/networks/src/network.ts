import type { Chain } from './chains.ts'
import type { MessageIntent } from './intent/intent.ts'

/** The curve of a wallet's key. */
export type Curve = 'secp256k1' | 'ed25519'

/** The networks a wallet has addresses on. */
export type NetworkName = 'evm' | 'bitcoin' | 'tron' | 'cosmos' | 'solana' | 'near' | 'aptos' | 'stellar'

/** A field of a message that only some networks know. */
type MessageField = 'scheme' | 'applicationDomain' | 'nonce' | 'recipient' | 'callbackUrl'

/** What a payload does to the wallet, as policies judge it. */
export type EffectKind = 'transfer' | 'approval' | 'call' | 'admin' | 'unknown'

/**
 * One effect of a payload.
 * `asset` is the native symbol or a token id, `amount` its smallest unit (`null`: unlimited or unknown),
 * `from` whose assets move, `to` the recipient, spender or called contract (`null`: a new contract, or anybody who takes an offer).
 */
export type Effect = {
  readonly kind: EffectKind
  readonly asset: string | null
  readonly amount: bigint | null
  readonly from: string
  readonly to: string | null
}

/** An effect with what a person needs to recognise it: amount for display, method and named arguments. */
export type Action = Effect & {
  readonly amountDisplay: string | null
  readonly method: string | null
  readonly args: Readonly<Record<string, string>> | null
}

/**
 * A payload taken apart: title, actions (each an effect), worst-case fee in the native asset, warnings, and when the
 * network stops taking it (milliseconds since 1970), where its bytes say so. `from` is the account that acts where that
 * is not the wallet's address (a named Near account): the effects of the wallet are `from` it.
 */
export type Decoded = {
  readonly title: string
  readonly from?: string | undefined
  readonly actions: readonly Action[]
  readonly fee: { readonly asset: string; readonly amount: bigint } | null
  readonly warnings: readonly string[]
  readonly expiresAtMs?: number | undefined
}

/** A raw signature (64 bytes r‖s or ed25519), its recovery bit (0 or 1; 0 for ed25519) and the signing key. */
export type Signed = {
  readonly signature: Uint8Array
  readonly recovery: number
  readonly publicKey: Uint8Array
}

/**
 * By which scheme a key signs: `plain` is its curve's own (ECDSA, or ed25519), `taproot` is BIP-340 with the key that
 * BIP-86 makes of a secp256k1 key (BIP-341 `taproot_tweak_seckey`, no scripts).
 */
export type SignatureScheme = 'plain' | 'taproot'

/** One thing to sign: a 32-byte digest (secp256k1) or the message itself (ed25519), and its scheme. */
export type SigningDigest = { readonly payload: Uint8Array; readonly scheme: SignatureScheme }

/** What the signer answers for each `SigningDigest`, in their order. */
export type RawSignature = { readonly signature: Uint8Array; readonly recovery: number }

/** A list that is never empty. */
export type NonEmpty<item> = readonly [item, ...item[]]

/** A signature in its network's wire encoding, fields as the API answers them. */
export type EncodedSignature = {
  signature: string
  encoding: 'hex' | 'base64'
  r?: string
  s?: string
  v?: number
  y_parity?: number
  signature_base58?: string
}

/** Where and by whom a transaction is signed: `address` is the wallet's on that chain. */
export type TransactionScope = {
  readonly chain: Chain
  readonly publicKey: Uint8Array
  readonly address: string
}

/** Tron's signed transaction, names as Tron spells them. */
export type TronTransaction = { raw_data_hex: string; signature: string[]; txID: string }

/** What an assembled transaction adds to the answer. */
type AssembledTransaction = EncodedSignature & {
  /** Absent where what was signed does not tell it (some amino JSON documents of Cosmos). */
  signed_transaction?: string | TronTransaction
  transaction_hash?: string
}

/** A network's unsigned transactions, signed once; every function throws `NetworkError('invalid_payload')` on bad bytes. */
export type TransactionCodec = {
  /** What the bytes do. */
  decode(bytes: Uint8Array, scope: TransactionScope): Decoded
  /** The 32-byte digest (secp256k1) or the message (ed25519) to sign. */
  digest(bytes: Uint8Array, scope: Omit<TransactionScope, 'address'>): Uint8Array
  /** The signed transaction and its id. */
  assemble(bytes: Uint8Array, scope: TransactionScope, signed: Signed): AssembledTransaction
}

/** As `TransactionCodec`, where each of several inputs takes a signature of its own; at most `signaturesMax`. */
export type InputsCodec = {
  decode: TransactionCodec['decode']
  /** What is to be signed, in the order in which `assemble` takes the signatures. */
  digests(bytes: Uint8Array, scope: Omit<TransactionScope, 'address'>): NonEmpty<SigningDigest>
  assemble(bytes: Uint8Array, scope: TransactionScope, signed: readonly RawSignature[]): AssembledTransaction
}

/** Everything a network knows: addresses, its message scheme, its transactions. */
export type Network = {
  readonly name: NetworkName
  readonly curve: Curve
  /** The message fields it knows; a message with another one is refused. */
  readonly messageFields: readonly MessageField[]
  /** All addresses of a compressed public key, by their names on the wire. */
  addresses(publicKey: Uint8Array): Record<string, string>
  /** The exact bytes that are hashed or signed for a message (`signed_payload`). */
  messagePayload(message: MessageIntent, publicKey: Uint8Array, chain: Chain): Uint8Array
  /** What the signer signs for such a payload: its 32-byte digest, or for pure ed25519 schemes the payload. */
  messageDigest(payload: Uint8Array): Uint8Array
  /** The signature of a message on the wire. */
  encodeSignature(signed: Signed): EncodedSignature
  /** Absent where transactions are not signed. */
  readonly transactions?: TransactionCodec | InputsCodec
  /** Its transactions in sign mode `amino_json`, where it has that. */
  readonly aminoTransactions?: TransactionCodec
}
