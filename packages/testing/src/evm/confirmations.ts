import { createPublicClient, type Hex, http } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { expect } from 'vitest'
import type { TestApp } from '../app/test-app.ts'
import { endOf, monthsOf, type SmartAccountOwner } from './smart-account-owner.ts'

/** Where and how an operation landed, as the chain itself has it. */
export type OnChain = { block: number; transaction: Hex; isSuccess: boolean; wei: bigint }

/** Every confirmation of an operation on the chain: one, or none. */
export async function confirmationsOf({ rpcUrl }: { rpcUrl: string }, hash: Hex): Promise<OnChain[]> {
  const logs = await createPublicClient({ transport: http(rpcUrl) }).getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
    fromBlock: 0n,
    strict: true,
  })
  return logs.map(({ args, blockNumber, transactionHash }) => ({
    block: Number(blockNumber),
    transaction: transactionHash,
    isSuccess: args.success,
    wei: args.actualGasCost,
  }))
}

/** Resolves when the operation is on the chain. */
export async function landed(chain: { rpcUrl: string }, hash: Hex): Promise<void> {
  for (let i = 0; (await confirmationsOf(chain, hash)).length === 0; i++) {
    if (i === 200) throw new Error(`${hash} does not land.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Expects that a wallet's only operation of the month is on the chain once, is reported as it is there, and was charged once. */
export async function expectReported(
  app: Pick<TestApp, 'call' | 'sql'>,
  chain: { rpcUrl: string },
  { owner, hash }: { owner: SmartAccountOwner; hash: Hex },
  eurPerEther: bigint,
): Promise<void> {
  const status = await endOf(app, owner, hash)
  const confirmations = await confirmationsOf(chain, hash)
  expect(confirmations).toHaveLength(1)
  const [confirmation] = confirmations
  expect(status).toMatchObject({
    status: 'confirmed',
    success: true,
    transaction_hash: confirmation?.transaction,
    block_number: confirmation?.block,
    actual_gas_cost_wei: confirmation?.wei.toString(),
  })
  const micro = ((confirmation?.wei ?? 0n) * eurPerEther + 10n ** 12n - 1n) / 10n ** 12n
  expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: Number(micro) }])
}
