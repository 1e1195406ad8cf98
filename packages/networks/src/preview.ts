import { toHex0x } from './codec/hex.ts'
import { isSignDocument } from './cosmos/sign-document.ts'
import type { Action, Decoded } from './effect.ts'
import { checksumAddress, parseAddress } from './evm/address.ts'
import { authorizationPayload } from './evm/authorization.ts'
import { lightAccountBytes } from './evm/light-account.ts'
import { isForSmartAccount, signingAddress } from './evm/smart-account-intent.ts'
import { decodeTypedDataEffects } from './evm/typed-data-effects.ts'
import { isHashText } from './intent/hash-text.ts'
import type { MessageIntent, SignIntent } from './intent/intent.ts'
import type { WalletScope } from './network.ts'
import type { Payload } from './payload.ts'
import { messageTitle } from './preview/message-title.ts'
import { type SignPreview, signPreview } from './preview/sign-preview.ts'

/** What a person is shown of a payload before it is signed. */
export function preview(payload: Payload): SignPreview {
  const { intent, scope } = payload
  return signPreview(payloadEffects(payload), scope.chain, signingAddress(intent, scope.address))
}

/** The effects of a payload with title, fee and warnings. */
export function payloadEffects({ intent, scope, transaction, typedData }: Payload): Decoded {
  if (transaction) return transaction.codec.effects(transaction.parsed)
  const { chain, address } = scope
  if (typedData) {
    const signer = signingAddress(intent, address)
    return forAccount(
      intent,
      address,
      decodeTypedDataEffects(typedData, chain, signer, [address, ...accountsOf(address)]),
    )
  }
  return opaqueEffects(intent, scope)
}

/** The smart account that an address owns; none for what is no EVM address. */
function accountsOf(address: string): string[] {
  const owner = parseAddress(address)
  return owner ? [checksumAddress(lightAccountBytes(owner))] : []
}

/** The preview of a payload that moves nothing by itself, or does not say what it moves. */
function opaqueEffects(intent: SignIntent, { chain, address }: WalletScope): Decoded {
  switch (intent.kind) {
    case 'message':
      return forAccount(intent, address, messageDecoded(intent))
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
    default:
      throw new Error(`A ${intent.kind} is parsed before it is shown.`)
  }
}

const nothing = { asset: null, amount: null, amountDisplay: null }
const hashWarning = 'A bare hash can stand for anything, a transfer of all funds included.'
const operationWarning = 'Only the hash of the operation is known here, not its calls.'
const hiddenHashWarning = 'This message is as long as a hash: it could approve a smart-account operation.'
const signDocumentWarning = 'This message is a transaction of Cosmos, which some chains carry out.'
const rawWarning = 'The message is signed as it is, with nothing that marks it as a message. Read all of it.'

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
  if (isBare && isSignDocument(message)) warnings.push(signDocumentWarning)
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
