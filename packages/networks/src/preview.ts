import { toHex0x } from './codec/hex.ts'
import { checksumAddress } from './evm/address.ts'
import { authorizationPayload } from './evm/authorization.ts'
import { isForSmartAccount, signingAddress } from './evm/smart-account-intent.ts'
import { parseTypedData } from './evm/typed-data.ts'
import { decodeTypedDataEffects } from './evm/typed-data-effects.ts'
import { isHashText } from './intent/hash-text.ts'
import type { MessageIntent, SignIntent } from './intent/intent.ts'
import { intentScope } from './intent-scope.ts'
import type { Action, Curve, Decoded } from './network.ts'
import { messageTitle } from './preview/message-title.ts'
import { type SignPreview, signPreview } from './preview/sign-preview.ts'
import { transactionCodec } from './signing-digest.ts'
import { chainAddress } from './wallet-addresses.ts'

/** The preview of an intent; `address` (the wallet's on the intent's chain) saves deriving it. */
export function preview(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  address?: string,
): SignPreview {
  const { chain } = intentScope(intent, curve)
  const own = address ?? chainAddress(chain, publicKey)
  const decoded = decodeIntentEffects(intent, curve, publicKey, own)
  return signPreview(decoded, chain, signingAddress(intent, own))
}

/**
 * The effects of an intent with title, fee and warnings: what previews show and policies judge. `address` is the
 * wallet's own, also where its smart account signs.
 */
export function decodeIntentEffects(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
  address: string,
): Decoded {
  const scope = intentScope(intent, curve)
  const { chain } = scope
  switch (intent.kind) {
    case 'message':
      return forAccount(intent, address, messageDecoded(intent))
    case 'typed_data': {
      const typed = parseTypedData(intent.typedData)
      const signer = signingAddress(intent, address)
      return forAccount(intent, address, decodeTypedDataEffects(typed, chain, signer))
    }
    case 'transaction':
      return transactionCodec(scope, intent).decode(intent.bytes, { chain, publicKey, address })
    case 'hash':
      return opaque('Sign hash', 'unknown', intent.hash, address, hashWarning)
    case 'user_operation':
      return opaque('Sign smart-account operation', 'call', intent.hash, address, operationWarning)
    case 'authorization': {
      authorizationPayload(intent, chain)
      const to = checksumAddress(intent.contract)
      const warning = `Account takeover: the code of ${to} will control this account and all it holds.`
      const args = { contract: to, nonce: intent.nonce.toString() }
      const action = { ...nothing, kind: 'admin', from: address, to, method: 'authorize', args } as const
      return {
        title: 'Delegate this account to a contract',
        actions: [action],
        fee: null,
        warnings: [warning],
      }
    }
  }
}

const nothing = { asset: null, amount: null, amountDisplay: null }
const hashWarning = 'A bare hash can stand for anything, a transfer of all funds included.'
const operationWarning = 'Only the hash of the operation is known here, not its calls.'
const hiddenHashWarning = 'This message is as long as a hash: it could approve a smart-account operation.'
const rawWarning = 'The bare bytes are signed, without a prefix that sets them apart from transactions.'

/** Says in the title when it is the smart account that signs, and which. */
function forAccount(intent: SignIntent, address: string, decoded: Decoded): Decoded {
  if (!isForSmartAccount(intent)) return decoded
  return { ...decoded, title: `${decoded.title} as the smart account ${signingAddress(intent, address)}` }
}

function messageDecoded({ message, scheme, smartAccount }: MessageIntent): Decoded {
  const warnings: string[] = []
  // The account's own domain sets its messages apart from operations.
  const isBare = smartAccount === undefined
  if (isBare && (message.length === 32 || isHashText(message))) warnings.push(hiddenHashWarning)
  if (scheme === 'raw') warnings.push(rawWarning)
  return { title: messageTitle(message), actions: [], fee: null, warnings }
}

function opaque(
  title: string,
  kind: Action['kind'],
  hash: Uint8Array,
  from: string,
  warning: string,
): Decoded {
  const action = { ...nothing, kind, from, to: null, method: null, args: { hash: toHex0x(hash) } }
  return { title, actions: [action], fee: null, warnings: [warning] }
}
