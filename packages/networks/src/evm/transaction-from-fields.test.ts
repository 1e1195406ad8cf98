import fc from 'fast-check'
import { getAddress, serializeTransaction, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { chainByHandle } from '../testing/by-intent.ts'
import { randomTransaction } from '../testing/random-transaction.fuzz.ts'
import { type EvmTransactionFields, evmTransactionFromFields } from './transaction-from-fields.ts'

const base = chainByHandle('base')
const tron = chainByHandle('tron')
if (!base || !tron) throw new Error('base and tron are chains')
const minimal = { nonce: '0x0', gas_limit: '0x5208', max_fee_per_gas: '0x2', max_priority_fee_per_gas: '0x1' }
const build = (fields: EvmTransactionFields) => toHex0x(evmTransactionFromFields(fields, base))

function refused(fields: EvmTransactionFields, code: string): void {
  expect(() => build(fields)).toThrow(expect.objectContaining({ code }))
}

describe('evm transaction from fields', () => {
  test('gives the bytes viem serializes', () => {
    fc.assert(
      fc.property(randomTransaction(8453), (transaction) => {
        const {
          nonce = 0,
          gas = 0n,
          to,
          value,
          data,
          gasPrice,
          maxFeePerGas,
          maxPriorityFeePerGas,
          accessList,
        } = transaction
        const fields: EvmTransactionFields = {
          nonce: toHex(nonce),
          gas_limit: toHex(gas),
          to: to ? getAddress(to) : undefined,
          value: value === undefined ? undefined : toHex(value),
          data,
          gas_price: gasPrice === undefined ? undefined : toHex(gasPrice),
          max_fee_per_gas: maxFeePerGas === undefined ? undefined : toHex(maxFeePerGas),
          max_priority_fee_per_gas:
            maxPriorityFeePerGas === undefined ? undefined : toHex(maxPriorityFeePerGas),
          access_list: accessList?.map(({ address, storageKeys }) => ({
            address,
            storage_keys: storageKeys,
          })),
        }
        expect(build(fields)).toBe(serializeTransaction(transaction))
      }),
      { numRuns: 200 },
    )
  })

  test('takes what prepare answers: chain id and sender, when they are right', () => {
    const from = `0x${'33'.repeat(20)}`
    const fields = { ...minimal, chain_id: '0x2105', from }
    expect(toHex0x(evmTransactionFromFields(fields, base, from))).toBe(build(minimal))
    refused({ ...minimal, chain_id: '0x1' }, 'invalid_payload')
    expect(() => evmTransactionFromFields(fields, base, `0x${'44'.repeat(20)}`)).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })

  test('malformed texts are refused as a request, impossible combinations as a payload', () => {
    refused({ ...minimal, nonce: '0x01' }, 'invalid_request')
    refused({ ...minimal, nonce: '1' }, 'invalid_request')
    refused({ ...minimal, value: `0x1${'0'.repeat(64)}` }, 'invalid_request')
    for (const name of ['value', 'nonce', 'gas_limit'])
      expect(() => evmTransactionFromFields({ ...minimal, [name]: '5' }, base)).toThrow(
        `\`${name}\` must be 0x-prefixed hex, such as \`0x5\`.`,
      )
    refused({ ...minimal, to: '0x1' }, 'invalid_request')
    refused({ ...minimal, to: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD827' }, 'invalid_request')
    refused({ ...minimal, data: '0x1' }, 'invalid_request')
    refused({ ...minimal, access_list: [{ address: '0x', storage_keys: [] }] }, 'invalid_request')
    refused({ ...minimal, type: '0x4' }, 'invalid_payload')
    refused({ ...minimal, type: 'constructor' }, 'invalid_payload')
    refused({ ...minimal, gas_price: '0x1' }, 'invalid_payload')
    refused({ ...minimal, type: 'legacy' }, 'invalid_payload')
    refused({ nonce: '0x0', gas_limit: '0x1' }, 'invalid_payload')
    refused({ ...minimal, max_priority_fee_per_gas: '0x3' }, 'invalid_payload')
    refused({ ...minimal, nonce: '0xffffffffffffffff' }, 'invalid_payload')
    expect(() => evmTransactionFromFields(minimal, tron)).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })
})
