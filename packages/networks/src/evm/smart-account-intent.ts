import type { SignIntent } from '../intent/intent.ts'
import { invalidRequest } from '../network-error.ts'
import { checksumAddress, parseAddress } from './address.ts'
import { lightAccountBytes } from './light-account.ts'

/** Whether an intent is signed in the name of the wallet's smart account (ERC-1271). */
export function isForSmartAccount(intent: SignIntent): boolean {
  return (intent.kind === 'message' || intent.kind === 'typed_data') && intent.smartAccount === true
}

/** Whose signature it is: the wallet's own address, or that of its smart account. */
export function signingAddress(intent: SignIntent, own: string): string {
  if (!isForSmartAccount(intent)) return own
  const owner = parseAddress(own)
  if (!owner) throw invalidRequest('Only a wallet with an EVM address has a smart account.')
  return checksumAddress(lightAccountBytes(owner))
}
