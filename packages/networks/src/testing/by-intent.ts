import { assembleAnswer as assemble, type SignAnswer } from '../assemble-answer.ts'
import type { Chain, Curve } from '../chain.ts'
import { isEd25519Signature } from '../curves/is-ed25519-signature.ts'
import type { Decoded } from '../effect.ts'
import { decodeIntent as decode } from '../intent/decode-intent.ts'
import { encodeIntent as encode } from '../intent/encode-intent.ts'
import type { SignIntent } from '../intent/intent.ts'
import type { Network, TransactionCodec, TransactionScope, WalletScope } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { networks } from '../networks.ts'
import { parsePayload } from '../parse-payload.ts'
import {
  addressOfKey as addressOf,
  assetKey as assetKeyOf,
  addressKey as keyOf,
} from '../policy/address-key.ts'
import type { AgentDecoded, StoredOperation } from '../policy/agent-decoded.ts'
import { decodeForAgent as decodeAgent } from '../policy/decode-for-agent.ts'
import { isAccountName as isName } from '../policy/is-account-name.ts'
import { policyChains as chainsOf } from '../policy/policy-chains.ts'
import { policyNames as namesOf } from '../policy/policy-names.ts'
import type { SignPreview } from '../preview/sign-preview.ts'
import { payloadEffects, preview as show } from '../preview.ts'
import { formatPrivateKey as format, type PrivateKeyText } from '../private-key/format-private-key.ts'
import { isAddress as isOne } from '../private-key/is-address.ts'
import { parsePrivateKey as parse } from '../private-key/parse-private-key.ts'
import { chainOf as chainFor, intentOf as read } from '../request/intent-of.ts'
import type { SignRequest } from '../request/sign-request.ts'
import type { NonEmpty, RawSignature, SigningDigest } from '../signature.ts'
import { signingDigests as digestsOf } from '../signing-digests.ts'
import { walletAddresses as addressesOf, chainAddress as addressOn } from '../wallet-addresses.ts'

/** The same few keys are asked for thousands of times; the taproot address of one costs a multiplication on the curve. */
const derived = new Map<string, Readonly<Record<string, string>>>()

function keptAddresses(network: Network, publicKey: Uint8Array): Readonly<Record<string, string>> {
  const name = `${network.name} ${publicKey.join()}`
  const addresses = derived.get(name) ?? network.addresses(publicKey)
  derived.set(name, addresses)
  return addresses
}

/** One step on an intent of production's networks, parsed for it alone: what most tests want. */
export function preview(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  address?: string,
): SignPreview {
  return show(parsePayload(networks, intent, curve, publicKey, { address, addressesOf: keptAddresses }))
}

/** `payloadEffects` of an intent. */
export function decodeIntentEffects(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  address?: string,
): Decoded {
  return payloadEffects(
    parsePayload(networks, intent, curve, publicKey, { address, addressesOf: keptAddresses }),
  )
}

/** `signingDigests` of an intent. */
export function signingDigests(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
): NonEmpty<SigningDigest> {
  return digestsOf(parsePayload(networks, intent, curve, publicKey, { addressesOf: keptAddresses }))
}

/** The digest of an intent that takes one signature. */
export function signingDigest(intent: SignIntent, curve: Curve, publicKey: Uint8Array): Uint8Array {
  const [only, ...others] = signingDigests(intent, curve, publicKey)
  if (others.length > 0) throw new Error('There is more than one digest.')
  return only.payload
}

/** `assembleAnswer` of an intent. */
export function assembleAnswer(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  signatures: NonEmpty<RawSignature>,
  address?: string,
): SignAnswer {
  return assemble(
    parsePayload(networks, intent, curve, publicKey, { address, addressesOf: keptAddresses }),
    signatures,
  )
}

/** `decodeForAgent` of an intent. */
export function decodeForAgent(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  operation?: StoredOperation,
): AgentDecoded {
  return decodeAgent(
    parsePayload(networks, intent, curve, publicKey, { addressesOf: keptAddresses }),
    operation,
  )
}

/** The chain of a handle of production. */
export const chainByHandle = (handle: string): Chain | undefined => networks.chain(handle)

/** Every chain of production. */
export const { chains } = networks

/** `encodeIntent` for production's networks. */
export const encodeIntent = (intent: SignIntent): Uint8Array => encode(networks, intent)

/** `decodeIntent` for production's networks. */
export const decodeIntent = (bytes: Uint8Array): SignIntent => decode(networks, bytes)

/** `chainAddress` for production's networks. */
export const chainAddress = (chain: Chain, publicKey: Uint8Array): string =>
  addressOn(networks, chain, publicKey)

/** `walletAddresses` for production's networks. */
export const walletAddresses = (curve: Curve, publicKey: Uint8Array): Record<string, string> =>
  addressesOf(networks, curve, publicKey)

/** `addressKey` for production's networks. */
export const addressKey = (text: string): string => keyOf(networks, text)

/** `assetKey` for production's networks. */
export const assetKey = (chain: string, text: string): string => assetKeyOf(networks, chain, text)

/** `policyNames` of production's networks. */
export const policyNames = namesOf(networks)

/** `addressOfKey` for production's networks. */
export const addressOfKey = (key: string, chain: Chain): string => addressOf(networks, key, chain)

/** `isAccountName` for production's networks. */
export const isAccountName = (text: string): boolean => isName(networks, text)

/** `isAddress` for production's networks. */
export const isAddress = (text: string): boolean => isOne(networks, text)

/** `policyChains` for production's networks. */
export const policyChains = (chain: Pick<Chain, 'handle'>): readonly string[] => chainsOf(networks, chain)

/** `formatPrivateKey` for production's networks. */
export const formatPrivateKey = (curve: Curve, key: Uint8Array): PrivateKeyText[] =>
  format(networks, curve, key)

/** `parsePrivateKey` for production's networks. */
export const parsePrivateKey = (curve: Curve, text: string): Uint8Array => parse(networks, curve, text)

/** `chainOf` for production's networks. */
export const chainOf = (request: SignRequest, fallback: Curve): Chain => chainFor(networks, request, fallback)

/** `intentOf` for production's networks. */
export const intentOf = (
  request: SignRequest,
  chain: Chain,
  publicKey: Uint8Array,
  random: (n: number) => Uint8Array,
): SignIntent => read(networks, request, chain, publicKey, random)

/** A message with all that its network wants, from `random` bytes. */
export function completeIntent(
  intent: SignIntent,
  publicKey: Uint8Array,
  random: (n: number) => Uint8Array,
): SignIntent {
  if (intent.kind !== 'message') return intent
  const address = () => {
    const chain = networks.chain(intent.chain)
    if (chain === undefined) throw new NetworkError('chain_unsupported', 'The chain is unknown.')
    return addressOn(networks, chain, publicKey)
  }
  return networks.byName(intent.network)?.message.complete?.(intent, address, random) ?? intent
}

/** Whether bytes start like a transaction of Solana, Near, Aptos or Stellar. */
export const looksLikeTransaction = (bytes: Uint8Array): boolean =>
  networks.list.some(({ transaction }) => transaction?.isLike?.(bytes) === true)

/** Refuses bytes that no bare message of Solana may be. */
export function assertNoTransaction(message: Uint8Array): void {
  const intent = { kind: 'message', network: 'solana', chain: 'solana', message, scheme: 'raw' } as const
  parsePayload(networks, intent, 'ed25519', new Uint8Array(32)).signedPayload()
}

/** The transactions of a network, each call with bytes that are parsed for it alone. */
export function byBytes(codec: TransactionCodec | undefined) {
  if (codec === undefined) throw new Error('there are transactions')
  const scopeOf = ({
    chain,
    publicKey,
    address,
  }: Omit<TransactionScope, 'address'> & { address?: string }): WalletScope => ({
    chain,
    publicKey,
    isSignature: isEd25519Signature,
    address: address ?? addressOn(networks, chain, publicKey),
    get addresses() {
      return keptAddresses(networks.of(chain), publicKey)
    },
  })
  const parsed = (bytes: Uint8Array, scope: Parameters<typeof scopeOf>[0]) =>
    codec.parse(bytes, scopeOf(scope))
  return {
    decode: (bytes: Uint8Array, scope: TransactionScope) => codec.effects(parsed(bytes, scope)),
    digests: (bytes: Uint8Array, scope: Omit<TransactionScope, 'address'>) =>
      codec.digests(parsed(bytes, scope)),
    digest: (bytes: Uint8Array, scope: Omit<TransactionScope, 'address'>) =>
      codec.digests(parsed(bytes, scope))[0].payload,
    assemble: (bytes: Uint8Array, scope: TransactionScope, signatures: NonEmpty<RawSignature>) =>
      codec.assemble(parsed(bytes, scope), signatures),
  }
}
