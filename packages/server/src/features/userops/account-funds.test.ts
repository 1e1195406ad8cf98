import { evmChains } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { BundlerError } from '../../ports/bundler.ts'
import type { EvmRpc } from '../../ports/evm-rpc.ts'
import { unpaidEstimate } from './account-funds.ts'

const [chain] = evmChains
if (chain === undefined) throw new Error('There is no EVM chain.')
const address = `0x${'11'.repeat(20)}` as const
const rpc = { pendingBalance: async () => 5n * 10n ** 17n } as Partial<EvmRpc> as EvmRpc
const unfunded = new BundlerError('rejected', "AA21 didn't pay prefund")

/** What is said where the bundler estimates nothing with funds that are not there. */
const saidOf = async (value: bigint, error: unknown = unfunded) =>
  unpaidEstimate(
    { rpc, chain },
    { address, calls: [{ to: address, data: '0x', value }] },
    { error, draft: () => Promise.reject(new BundlerError('rejected', 'too many parameters')) },
  )

test('a bundler without overrides leaves open what an account needs for fees, and nothing else', async () => {
  expect((await saidOf(1n))?.message).toBe(
    'Insufficient funds: the smart account has 0.5 ETH, too little for the fees of this operation.',
  )
  expect((await saidOf(10n ** 18n))?.message).toBe(
    'Insufficient funds: the smart account has 0.5 ETH and this needs 1 ETH, fees not included.',
  )
})

test('a refusal for another reason is not told as a lack of funds', async () => {
  expect(await saidOf(10n ** 18n, new BundlerError('rejected', 'AA24 signature error'))).toBeUndefined()
  expect(await saidOf(1n, new BundlerError('reverted', 'execution reverted'))).toBeUndefined()
  expect(await saidOf(1n, new Error('gone'))).toBeUndefined()
})
