import type { Chain } from '../../chain.ts'
import type { WalletScope } from '../../network.ts'
import type { AgentEffects } from '../../policy/agent-effects.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import type { TypedData } from '../typed-data.ts'
import { parseInteger } from '../typed-data-atomic.ts'
import { ownAccounts } from './own-accounts.ts'
import { readPermit } from './permits.ts'
import { readSafeTransaction } from './safe.ts'
import { readSeaportOrder } from './seaport.ts'

const refused: AgentEffects = { effects: [], fee: null, trap: 'typed_data_not_allowed' }

/**
 * What the signature of typed data lets others do: permits (EIP-2612, DAI, Permit2), transfers by authorization
 * (EIP-3009), transactions of a Safe, offers of Seaport, each known by its exact type. Everything else, and what does not
 * name this chain and a contract in its domain, is the trap `typed_data_not_allowed`.
 */
export function readTypedData(
  typed: TypedData,
  isForSmartAccount: boolean,
  scope: WalletScope,
): AgentEffects {
  const { chain } = scope
  typed.payload()
  const contract = contractOf(typed, chain)
  if (contract === undefined) return refused
  const own = ownAccounts(scope)
  const signer = isForSmartAccount ? own.account : own.key
  const read =
    readPermit(typed, contract, signer) ??
    readSafeTransaction(typed, contract, own, chain) ??
    readSeaportOrder(typed, contract, chain)
  return read ?? refused
}

/** The contract (EIP-55) that a domain of this chain is for. */
function contractOf({ domain }: TypedData, chain: Chain): string | undefined {
  const { chainId, verifyingContract } = domain
  if (chainId === undefined || parseInteger(chainId) !== BigInt(chain.chainId ?? -1)) return undefined
  const contract = typeof verifyingContract === 'string' ? parseAddress(verifyingContract) : undefined
  return contract && checksumAddress(contract)
}
