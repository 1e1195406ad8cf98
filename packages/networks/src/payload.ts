import { keccak256 } from '#keccak'
import type { Chain, Curve } from './chain.ts'
import { accountMessagePayload } from './evm/account-message.ts'
import { parseAddress } from './evm/address.ts'
import { authorizationPayload } from './evm/authorization.ts'
import { ethereumPrefix, personalMessage } from './evm/personal-message.ts'
import { parseTypedData, type TypedData } from './evm/typed-data.ts'
import type { MessageIntent, SignIntent } from './intent/intent.ts'
import type { Network, TransactionCodec, WalletScope } from './network.ts'
import { invalidPayload, invalidRequest, NetworkError } from './network-error.ts'
import type { Networks } from './network-set.ts'
import { once } from './once.ts'
import type { IsSignature } from './signature.ts'
import { addressOn } from './wallet-addresses.ts'

/**
 * What is to be signed, taken apart once: whoever shows it, evaluates it, signs it and assembles the answer works on this value. It may
 * hold views of the intent's bytes: nobody changes them while it is used.
 */
export type Payload = {
  readonly intent: SignIntent
  readonly network: Network
  readonly networks: Networks
  readonly scope: WalletScope
  /** Of a transaction only. */
  readonly transaction: { readonly codec: TransactionCodec; readonly parsed: unknown } | undefined
  /** Of typed data only. */
  readonly typedData: TypedData | undefined
  /** The exact bytes that are hashed or signed for anything but a bare hash and a transaction. */
  signedPayload(): Uint8Array
}

/**
 * What the caller brings: the library that checks what others signed (without it nothing of theirs counts), and what it knows of the wallet's
 * addresses, so that nobody derives it again; it must be what the key has.
 */
export type KnownAddresses = {
  readonly isSignature?: IsSignature

  /** That on the intent's chain. */
  readonly address?: string | undefined
  /** All of a network, by their names. */
  addressesOf?(network: Network, publicKey: Uint8Array): Readonly<Record<string, string>>
}

/**
 * Takes an intent apart for a wallet's key. Undecodable input is `invalid_payload`; a curve, kind or field that does not fit the chain
 * `invalid_request`; a chain that nobody knows `chain_unsupported`.
 */
export function parsePayload(
  networks: Networks,
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  known: KnownAddresses = {},
): Payload {
  const { chain, network } = networkOf(networks, intent, curve)
  const scope = walletScope(network, chain, publicKey, known)
  const typedData = intent.kind === 'typed_data' ? parseTypedData(intent.typedData) : undefined
  const payload = {
    intent,
    network,
    networks,
    scope,
    typedData,
    transaction: intent.kind === 'transaction' ? parseTransaction(intent, network, scope) : undefined,
  }
  return { ...payload, signedPayload: once(() => signedPayloadOf(payload)) }
}

/** The network an intent is for; `NetworkError` for one that does not fit it. */
function networkOf(networks: Networks, intent: SignIntent, curve: Curve): { chain: Chain; network: Network } {
  const chain = networks.chain(intent.chain)
  if (!chain) throw new NetworkError('chain_unsupported', 'No chain has this handle.')
  if (chain.curve !== curve)
    throw invalidRequest(`${chain.handle} signs with ${chain.curve}, but this wallet with ${curve}.`)
  const network = networks.of(chain)
  switch (intent.kind) {
    case 'message':
      if (intent.network !== chain.network) throw invalidRequest('The message is for another network.')
      refuseForeignFields(intent, network)
      break
    case 'transaction':
      if (intent.network !== chain.network) throw invalidPayload('The transaction is of another network.')
      if (intent.signMode !== undefined && !network.transaction?.signModes?.includes(intent.signMode))
        throw invalidRequest(`${chain.handle} has no sign mode ${intent.signMode}.`)
      break
    case 'hash':
      if (curve !== 'secp256k1') throw invalidRequest('A bare hash is signed with secp256k1 only.')
      break
    default:
      if (chain.network !== 'evm') throw invalidRequest(`${chain.handle} has no ${intent.kind}.`)
  }
  return { chain, network }
}

function refuseForeignFields(intent: MessageIntent, { message: { fields }, name }: Network): void {
  const { scheme, applicationDomain, nonce, recipient, callbackUrl, smartAccount } = intent
  if (smartAccount !== undefined && name !== 'evm') throw invalidRequest(`${name} has no smart accounts.`)
  if (
    (scheme !== undefined && !fields.includes('scheme')) ||
    (applicationDomain !== undefined && !fields.includes('applicationDomain')) ||
    (nonce !== undefined && !fields.includes('nonce')) ||
    (recipient !== undefined && !fields.includes('recipient')) ||
    (callbackUrl !== undefined && !fields.includes('callbackUrl'))
  ) {
    throw invalidRequest(`A message on ${name} does not have one of the given fields.`)
  }
}

function walletScope(
  network: Network,
  chain: Chain,
  publicKey: Uint8Array,
  { address, addressesOf, isSignature = () => false }: KnownAddresses,
): WalletScope {
  const all = once(() => addressesOf?.(network, publicKey) ?? network.addresses(publicKey))
  return {
    chain,
    publicKey,
    isSignature,
    get address() {
      return address ?? addressOn(chain, all())
    },
    get addresses() {
      return all()
    },
  }
}

function parseTransaction(
  { bytes, signMode }: Extract<SignIntent, { kind: 'transaction' }>,
  { transaction: codec }: Network,
  scope: WalletScope,
): Payload['transaction'] {
  if (codec === undefined) throw invalidPayload(`Transactions on ${scope.chain.handle} cannot be decoded.`)
  return { codec, parsed: codec.parse(bytes, scope, signMode) }
}

function signedPayloadOf(payload: Omit<Payload, 'signedPayload'>): Uint8Array {
  const { intent, network, scope, typedData } = payload
  switch (intent.kind) {
    case 'message': {
      const isTransaction = (bytes: Uint8Array) => isTransactionOf(payload, bytes)
      const signed = network.message.payload(intent, { ...keyOf(scope), isTransaction })
      return intent.smartAccount ? forAccount(signed, scope) : signed
    }
    case 'typed_data': {
      const signed = (typedData ?? parseTypedData(intent.typedData)).payload()
      return intent.smartAccount ? forAccount(signed, scope) : signed
    }
    case 'user_operation':
      return personalMessage(ethereumPrefix, checkedHash(intent.hash))
    case 'authorization':
      return authorizationPayload(intent, scope.chain)
    default:
      throw new Error(`A ${intent.kind} has no payload beside itself.`)
  }
}

/** Whether bytes start like a transaction of a network of the payload's curve: one key signs for all of them. */
export function isTransactionOf(
  { networks, network }: Pick<Payload, 'networks' | 'network'>,
  bytes: Uint8Array,
) {
  return networks.list.some(
    ({ curve, transaction }) => curve === network.curve && transaction?.isLike?.(bytes) === true,
  )
}

/** 32 bytes, otherwise `invalid_payload`. */
export function checkedHash(hash: Uint8Array): Uint8Array {
  if (hash.length !== 32) throw invalidPayload('The hash must be 32 bytes long.')
  return hash
}

const keyOf = ({ chain, publicKey }: WalletScope) => ({ chain, publicKey })

function forAccount(signed: Uint8Array, { chain, addresses }: WalletScope): Uint8Array {
  const owner = parseAddress(addresses['evm'] ?? '')
  if (owner === undefined) throw invalidRequest('Only a wallet with an EVM address has a smart account.')
  return accountMessagePayload(keccak256(signed), chain, owner)
}
