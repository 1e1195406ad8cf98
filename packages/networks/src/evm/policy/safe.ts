import type { AgentEffects } from '../../policy/agent-effects.ts'
import { parseAddress } from '../address.ts'
import type { TypedData } from '../typed-data.ts'
import { encodeType } from '../typed-data-types.ts'
import { addressIn, bytesIn, integerIn } from '../typed-values.ts'
import { readCalls } from './calls.ts'
import type { OwnAccounts } from './own-accounts.ts'

/** Safe 1.0.0 and later. */
const safeType =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)'

/**
 * What a Safe does once an owner's signature is used, or `undefined` for other typed data. A refund of gas, whose size nobody
 * can tell, is `payload_undecodable`; so is an operation that Safe does not know.
 */
export function readSafeTransaction(
  { primaryType, types, message }: TypedData,
  safe: string,
  own: OwnAccounts,
): AgentEffects | undefined {
  if (primaryType !== 'SafeTx' || encodeType(primaryType, types) !== safeType) return undefined
  const operation = integerIn(message, 'operation')
  if (integerIn(message, 'gasPrice') !== 0n || operation > 1n) {
    return { effects: [], fee: null, trap: 'payload_undecodable' }
  }
  const call = {
    from: safe,
    to: parseAddress(addressIn(message, 'to')) ?? null,
    value: integerIn(message, 'value'),
    data: bytesIn(message, 'data'),
    isDelegated: operation === 1n,
  }
  return { ...readCalls([call], own), fee: null }
}
