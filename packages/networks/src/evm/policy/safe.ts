import type { Chain } from '../../chain.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import type { AgentEffects } from '../../policy/agent-effects.ts'
import { parseAddress } from '../address.ts'
import type { TypedData } from '../typed-data.ts'
import { encodeType } from '../typed-data-types.ts'
import type { JsonObject } from '../typed-data-value.ts'
import { addressIn, bytesIn, integerIn } from '../typed-values.ts'
import { readCalls } from './calls.ts'
import type { OwnAccounts } from './own-accounts.ts'

/** Safe 1.0.0 and later. */
const safeType =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)'

/** Gas that Safe counts beyond `safeTxGas`: the call with its value, a new account and the copy of its data. */
const callGas = 100_000n
const uint256End = 2n ** 256n

/**
 * What a Safe does once an owner's signature is used, or `undefined` for other typed data. The refund of gas to who sends it is a spend, at
 * the most that it can be. An operation that Safe does not know is `payload_undecodable`.
 */
export function readSafeTransaction(
  { primaryType, types, message }: TypedData,
  safe: string,
  own: OwnAccounts,
  chain: Chain,
): AgentEffects | undefined {
  if (primaryType !== 'SafeTx' || encodeType(primaryType, types) !== safeType) return undefined
  const operation = integerIn(message, 'operation')
  const refund = refundOf(message, safe, chain)
  if (operation > 1n || (refund?.amount ?? 0n) >= uint256End) {
    return { effects: [], fee: null, trap: 'payload_undecodable' }
  }
  const call = {
    from: safe,
    to: parseAddress(addressIn(message, 'to')) ?? null,
    value: integerIn(message, 'value'),
    data: bytesIn(message, 'data'),
    isDelegated: operation === 1n,
  }
  const { effects, trap } = readCalls([call], own)
  return { effects: refund === undefined ? effects : [...effects, refund], trap, fee: null }
}

/** `handlePayment`: (gas used + `baseGas`) * `gasPrice`, in `gasToken` or the native asset, to `refundReceiver` or whoever sends it. */
function refundOf(message: JsonObject, safe: string, { nativeAsset }: Chain): AgentEffect | undefined {
  const gasPrice = integerIn(message, 'gasPrice')
  if (gasPrice === 0n) return undefined
  const gas = integerIn(message, 'baseGas') + integerIn(message, 'safeTxGas') + callGas
  const token = accountIn(message, 'gasToken')
  const isNative = token === null
  return {
    kind: 'transfer',
    asset: isNative ? nativeAsset.symbol : token,
    amount: gas * gasPrice,
    from: safe,
    to: accountIn(message, 'refundReceiver'),
    isNative,
    contract: null,
    selector: null,
  }
}

/** The account (EIP-55), null for the zero address. */
function accountIn(message: JsonObject, name: string): string | null {
  const address = addressIn(message, name)
  return /^0x0+$/.test(address) ? null : address
}
