import { readFields, readOptional, readText, refused } from './read-fields.ts'
import { evmAddressForm, hex32Form, hexForm, quantity64Form, quantity256Form } from './text-forms.ts'

const quantity64 = (value: unknown, name: string) => readText(value, name, quantity64Form)
const quantity256 = (value: unknown, name: string) => readText(value, name, quantity256Form)

/** The fields of an unsigned EVM transaction, each of its form; the decoder checks which belong together. */
export function readEvmTransaction(value: unknown) {
  const fields = readFields(
    value,
    ['nonce', 'gas_limit'],
    [
      'to',
      'value',
      'data',
      'max_fee_per_gas',
      'max_priority_fee_per_gas',
      'gas_price',
      'access_list',
      'chain_id',
    ],
  )
  return {
    nonce: quantity64(fields['nonce'], 'nonce'),
    gas_limit: quantity64(fields['gas_limit'], 'gas_limit'),
    ...readOptional(fields, 'to', (text, name) => readText(text, name, evmAddressForm)),
    ...readOptional(fields, 'value', quantity256),
    ...readOptional(fields, 'data', (text, name) => readText(text, name, hexForm)),
    ...readOptional(fields, 'max_fee_per_gas', quantity256),
    ...readOptional(fields, 'max_priority_fee_per_gas', quantity256),
    ...readOptional(fields, 'gas_price', quantity256),
    ...readOptional(fields, 'access_list', readAccessList),
    ...readOptional(fields, 'chain_id', quantity64),
  }
}

function readAccessList(value: unknown) {
  if (!Array.isArray(value)) throw refused('`access_list` is not valid.')
  return value.map((entry: unknown) => {
    const fields = readFields(entry, ['address', 'storage_keys'])
    const keys = fields['storage_keys']
    if (!Array.isArray(keys)) throw refused('`storage_keys` is not valid.')
    return {
      address: readText(fields['address'], 'address', evmAddressForm),
      storage_keys: keys.map((key: unknown) => readText(key, 'storage_keys', hex32Form)),
    }
  })
}
