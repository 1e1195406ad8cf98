import type { Chain, Curve } from './chain.ts'
import type { Decoded } from './effect.ts'
import type { MessageIntent } from './intent/intent.ts'
import type { SignMode } from './intent/sign-mode.ts'
import type { AgentEffects } from './policy/agent-effects.ts'
import type {
  AssembledTransaction,
  EncodedSignature,
  IsSignature,
  NonEmpty,
  RawSignature,
  Signed,
  SigningDigest,
} from './signature.ts'

/** A field of a message that only some networks know. */
type MessageField = 'scheme' | 'applicationDomain' | 'nonce' | 'recipient' | 'callbackUrl'

/**
 * Whose payload it is, and on which chain. `address` is the wallet's on that chain, `addresses` all that it has on the network, by
 * their names on the wire: both are derived from the key when they are first asked for, unless the caller knew them.
 */
export type WalletScope = TransactionScope & {
  readonly addresses: Readonly<Record<string, string>>
  /** Checks what others signed: the library of the process. */
  readonly isSignature: IsSignature
}

/** The wallet and chain that effects are described for: `address` is the wallet's on that chain. */
export type TransactionScope = {
  readonly chain: Chain
  readonly publicKey: Uint8Array
  readonly address: string
}

/** The parsed form of most networks: a transaction taken apart, with its bytes and its wallet. */
export type Parsed<transaction> = {
  readonly transaction: transaction
  readonly bytes: Uint8Array
  readonly scope: WalletScope
}

/**
 * A network's unsigned transactions. `parse` is the only one that reads bytes, and says `NetworkError('invalid_payload')` of bad ones;
 * the others take what it made. A parsed transaction may hold views of the bytes: nobody changes them while it is used.
 */
export type TransactionCodec<parsed = unknown> = {
  /** How the HTTP API spells the bytes: hex with or without 0x, or base64. */
  readonly encoding: 'hex' | 'bare_hex' | 'base64'
  /** The sign modes that it has beside its own. */
  readonly signModes?: readonly SignMode[]
  /** What has no effects is not parsed either: whoever can sign a transaction can also be shown it. */
  parse(bytes: Uint8Array, scope: WalletScope, signMode?: SignMode): parsed
  /** What it does. */
  effects(parsed: parsed): Decoded
  /** What is to be signed, in the order in which `assemble` takes the signatures; at most `signaturesMax`. */
  digests(parsed: parsed): NonEmpty<SigningDigest>
  /** The signed transaction and its id. */
  assemble(parsed: parsed, signatures: NonEmpty<RawSignature>): AssembledTransaction
  /** Whether bytes start like a transaction of this network: a key that signs for several networks must not sign them as a message. */
  isLike?(bytes: Uint8Array): boolean
}

/** Where a message is signed, and what else that key could have signed. */
export type MessageScope = Pick<WalletScope, 'chain' | 'publicKey'> & {
  /** Whether bytes start like a transaction of any network of this key's curve. */
  isTransaction(bytes: Uint8Array): boolean
}

/** A network's messages. */
export type MessageCodec = {
  /** The fields it knows; a message with another one is refused. */
  readonly fields: readonly MessageField[]
  /** How the HTTP API spells a nonce: a text (default), or 32 bytes in base64. */
  readonly nonce?: 'base64'
  /** Fills what a message must have and its caller left out, from `random` bytes and the wallet's address. */
  complete?(message: MessageIntent, address: () => string, random: (n: number) => Uint8Array): MessageIntent
  /** The exact bytes that are hashed or signed (`signed_payload`). */
  payload(message: MessageIntent, scope: MessageScope): Uint8Array
  /** What the signer signs for such a payload: its 32-byte digest, or for pure ed25519 schemes the payload. */
  digest(payload: Uint8Array): Uint8Array
  /** The signature on the wire. */
  encodeSignature(signed: Signed): EncodedSignature
  /** What the answer says of a message beside its payload. */
  echo?(message: MessageIntent, payload: Uint8Array): { full_message?: string; application_domain?: string }
}

/**
 * What a text is to a network: `name` is an account, contract or token in a form that is its alone, `loose` one of a form that the
 * names of others fit too, `malformed` has its form but a wrong checksum or length.
 */
export type NameKind = 'name' | 'loose' | 'malformed'

/** A network as policies see it. */
export type NetworkPolicy<parsed = unknown> = {
  /** Whether signed bytes name their chain: otherwise all chains of the network are one to a policy. */
  readonly isChainSigned: boolean
  /** What a transaction does as policies evaluate it; what it does but no policy may allow is a trap. */
  effects(parsed: parsed): AgentEffects
  /** Further accounts of a wallet's own, by a name, from its addresses: what the enclave derives once for a key. */
  ownAccounts?(addresses: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** Whether a message of any network moves value by a protocol of this one, without being a transaction. */
  isOrder?(message: MessageIntent): boolean
  /** What selectors of its contracts look like; none where it is absent. */
  readonly selectorForm?: RegExp
  /** What a text is as a name of accounts, contracts and tokens; `undefined` where it has none of this network's forms. */
  nameKind(text: string): NameKind | undefined
  /** Further forms of token and contract names, which are ambiguous without their chain. */
  readonly nameForm?: RegExp
  /** The one spelling that an address of this network is compared by; `undefined` for what it has no other spellings of. */
  addressKey?(text: string): string | undefined
  /** Whether a text names a part of what its `addressKey` names: one of several customers of an account, which an allow list tells apart. */
  isPart?(text: string): boolean
  /**
   * The one spelling that a token or contract of a chain is compared by, where only the chain says that two texts name one; the chain's native
   * asset is its symbol. Takes what `addressKey` makes of a text; `undefined` where that is enough.
   */
  assetKey?(text: string, chain: Chain): string | undefined
  /** `assetKey` asks nothing of a chain but its native asset: chains that have the same one name their assets alike. */
  readonly isAssetKeyAlike?: true
  /** The usual form of such a spelling, as decoders and people write it; `undefined` if it is that already. */
  addressOfKey?(key: string, chain: Chain): string | undefined
}

/** The form in which the wallets of a network import a private key. */
export type PrivateKeyForm = {
  /** Says to a person what the text is. */
  readonly label: string
  /** The text of a key of 32 bytes; `publicKey` is its own. */
  format(key: Uint8Array, publicKey: Uint8Array): string
  /** The bytes of a text of this form, a public key behind the private one where it has that; `undefined` for another form. */
  parse?(text: string): Uint8Array | undefined
}

/**
 * Everything that the platform knows of one network; nothing else in the code base knows it by name. Each network is a folder:
 * `address.ts`, `message.ts`, `transaction.ts` (what decodes the bytes is its `raw-transaction.ts`), `effects.ts`, `policy-effects.ts`,
 * `private-key.ts` and `chains.ts`, closed over by its `index.ts`; `networks.ts` is the one list.
 *
 * Bytes are parsed once. `transaction.parse(bytes, scope)` gives a value of the network's own, and `effects`, `digests`, `assemble` and
 * `policy.effects` take it; who needs several of them passes the value along (`Payload`). Nothing is remembered between payloads.
 *
 * `policy` comes by `#policy-effects/<network>`, which the condition `browser` maps to nothing: the vault holds no policy effects, and
 * a network without them signs for people and never for agents.
 */
export type Network<parsed = unknown> = {
  readonly name: string
  readonly curve: Curve
  readonly chains: readonly Chain[]
  /** All addresses of a compressed public key, by their names on the wire. */
  addresses(publicKey: Uint8Array): Record<string, string>
  /** Whether a text could be the address of a wallet, its checksum included where its form has one. */
  isAddress(text: string): boolean
  readonly message: MessageCodec
  /** Absent where transactions are not signed. */
  readonly transaction?: TransactionCodec<parsed>
  readonly policy?: NetworkPolicy<parsed> | undefined
  readonly privateKey: PrivateKeyForm
  /** What people call an address that is not named like its chain. */
  readonly addressLabels?: Readonly<Record<string, string>>
}
