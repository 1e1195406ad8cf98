import type { TestApp } from '@symbolon/testing/app'
import { createPublicClient, type Hex, http, parseEventLogs } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { expect } from 'vitest'
import { depositOf } from './deposit-of.ts'
import { type Lane, type MixSite, priceEurE8 } from './mix-site.ts'

/** An operation as the database has it at the end. */
export type BookedOperation = {
  hash: Hex | null
  chain: string
  wallet: string
  month: string | null
  state: string
  isSponsored: boolean
  block: bigint | null
  transaction: Hex | null
  succeeded: boolean | null
  wei: bigint | null
  held: bigint
  micro: bigint | null
}

/** Every operation of the database. */
export async function operationsOf({ sql }: TestApp): Promise<BookedOperation[]> {
  const rows = await sql<Record<string, string | boolean | null>[]>`
    select hash, chain, wallet_id as wallet, month, state, reserve_micro is not null as "isSponsored", block_number as block,
      transaction_hash as transaction, succeeded, actual_gas_cost_wei as wei, held_micro as held, settled_micro as micro
    from user_operations`
  const whole = (value: unknown) => (value === null ? null : BigInt(String(value)))
  return rows.map(({ block, wei, held, micro, ...row }) => ({
    ...(row as Pick<
      BookedOperation,
      'hash' | 'chain' | 'wallet' | 'month' | 'state' | 'isSponsored' | 'transaction' | 'succeeded'
    >),
    block: whole(block),
    wei: whole(wei),
    held: whole(held) ?? 0n,
    micro: whole(micro),
  }))
}

/**
 * Holds the database against the chains: each operation landed at most once and is booked as it landed, the paymaster's
 * deposit fell by exactly what is settled, and months hold nothing and have cost what their operations did, rounded up one
 * by one.
 */
export async function expectBalanced({ app, lanes }: MixSite): Promise<BookedOperation[]> {
  const operations = await operationsOf(app)
  for (const lane of lanes) {
    await expectAsOnChain(
      lane,
      operations.filter(({ chain }) => chain === lane.chain.handle),
    )
  }
  await expectMonths(app, operations)
  return operations
}

const isLanded = ({ state }: BookedOperation) => state === 'confirmed' || state === 'failed'

async function expectAsOnChain(
  { chain, depositBefore }: Lane,
  operations: readonly BookedOperation[],
): Promise<void> {
  const logs = await createPublicClient({ transport: http(chain.rpcUrl) }).getLogs({
    address: entryPoint07Address,
    fromBlock: 0n,
  })
  const events = parseEventLogs({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs })
  const hashes = events.map(({ args }) => args.userOpHash)
  expect(new Set(hashes).size, 'nothing landed twice').toBe(hashes.length)

  const onChain = new Map(events.map((event) => [event.args.userOpHash, event]))
  for (const operation of operations) {
    const event = operation.hash === null ? undefined : onChain.get(operation.hash)
    const { hash, state, block, transaction, succeeded, wei } = operation
    expect({ hash, isLanded: isLanded(operation) }, state).toEqual({ hash, isLanded: event !== undefined })
    expect({ hash, block, transaction, succeeded, wei }).toEqual({
      hash,
      block: event?.blockNumber ?? null,
      transaction: event?.transactionHash ?? null,
      succeeded: event?.args.success ?? null,
      wei: event?.args.actualGasCost ?? null,
    })
  }

  const settledWei = sum(operations.filter(({ isSponsored }) => isSponsored).map(({ wei }) => wei ?? 0n))
  const fall = depositBefore - (await depositOf(chain))
  expect(fall, `${chain.handle}: settled, and the fall of the deposit`).toBe(settledWei)
  const sponsored = events.filter(({ args }) => args.paymaster === chain.paymaster)
  expect(sum(sponsored.map(({ args }) => args.actualGasCost))).toBe(settledWei)
}

async function expectMonths({ sql }: TestApp, operations: readonly BookedOperation[]): Promise<void> {
  const months = await sql<{ name: string; reserved: string; settled: string }[]>`
    select wallet_id || ' ' || month as name, reserved_micro as reserved, settled_micro as settled from sponsor_months`
  const booked = new Map<string, bigint>()
  for (const { wallet, month, isSponsored, wei, micro, held } of operations) {
    expect({ held, isMonthly: month !== null }).toEqual({ held: 0n, isMonthly: isSponsored })
    expect(micro).toBe(isSponsored && wei !== null ? roundedUp(wei) : null)
    if (isSponsored)
      booked.set(`${wallet} ${month}`, (booked.get(`${wallet} ${month}`) ?? 0n) + (micro ?? 0n))
  }
  const expected = [...booked].map(([name, micro]) => ({ name, reserved: '0', settled: micro.toString() }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect([...months].sort(byName)).toEqual(expected.sort(byName))

  const organizations = await sql<{ reserved: string; settled: string }[]>`
    select sum(reserved_micro) as reserved, sum(settled_micro) as settled from organization_gas_months`
  expect([...organizations]).toEqual([{ reserved: '0', settled: sum([...booked.values()]).toString() }])
  const installation = await sql<{ reserved: string; settled: string }[]>`
    select sum(reserved_micro) as reserved, sum(settled_micro) as settled from installation_gas_months`
  expect([...installation]).toEqual([...organizations])
}

/** In micro-EUR: the least whole number that is not below wei x EUR x 10^6 / 10^18. */
function roundedUp(wei: bigint): bigint {
  const exact = wei * priceEurE8
  const down = exact / 10n ** 20n
  return down * 10n ** 20n === exact ? down : down + 1n
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
