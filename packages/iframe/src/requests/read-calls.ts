import type { EvmCall, Hex } from '@symbolon/networks/evm'
import { readFields, readText, refused } from './read-fields.ts'
import { amountForm, evmAddressForm, hexForm } from './text-forms.ts'

/** As many calls as a build takes. */
const callsMax = 64

/**
 * The calls of an operation as the API's build takes them: `to`, optional `data` (0x hex) and `value` (decimal wei).
 * Otherwise `invalid_request`.
 */
export function readCalls(value: unknown): EvmCall[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > callsMax)
    throw refused('`calls` is not valid.')
  return value.map((call: unknown) => {
    const { to, data = '0x', value: wei = '0' } = readFields(call, ['to'], ['data', 'value'])
    const amount = BigInt(readText(wei, 'value', amountForm))
    if (amount >= 2n ** 256n) throw refused('`value` is not valid.')
    return {
      to: readText(to, 'to', evmAddressForm).toLowerCase() as Hex,
      data: readText(data, 'data', hexForm).toLowerCase() as Hex,
      value: amount,
    }
  })
}
