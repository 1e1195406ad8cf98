import type { SignResponse } from '@symbolon/api'
import { devContracts } from '@symbolon/dev/testing/chain'
import { liftRates, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  built,
  monthsOf,
  newAccountOwner,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { createPublicClient, encodeFunctionData, type Hex, http, parseEventLogs } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'

const wallets = 30
const organizations = 5
const priceEurE8 = 271_828_182_845n

let chain: SharedChain
let app: TestApp
let owners: SmartAccountOwner[]

beforeAll(async () => {
  chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 2 }],
    prices: { fixed: new Map([['ETH', priceEurE8]]), feeds: new Map(), deviationMaxPercent: 50 },
  })
  await liftRates(app)
  const tenants = await Promise.all(Array.from({ length: organizations }, () => makeTenant(app)))
  owners = await Promise.all(
    Array.from({ length: wallets / organizations }, () => tenants)
      .flat()
      .map((tenant) => newAccountOwner(app, tenant)),
  )
})
afterAll(() => app?.stop())

/** The owner's signature, asked for by the user. */
async function signMine({ user }: SmartAccountOwner, hash: Hex): Promise<Hex> {
  const { data, text } = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', {
    ...user,
    json: { type: 'user_operation', user_op_hash: hash },
  })
  if (data === null) throw new Error(`The signature answered ${text}`)
  return data.signature as Hex
}

test('30 wallets of several organizations build, sign and submit at once: all land, each is charged its own cost', async () => {
  const data = encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' })
  const landed = await Promise.all(
    owners.map(async (owner, i) => {
      // One to four calls: no two neighbours cost the same.
      const calls = Array.from({ length: 1 + (i % 4) }, () => ({ to: chain.contracts.target, data }))
      const { user_op_hash: hash } = await built(app, owner, calls)
      const signature = await (i % 2 === 0 ? signMine(owner, hash) : signOp(app, owner, hash))
      const { status, data: op } = await submitOp(app, owner, hash, signature)
      expect({ status, op }).toMatchObject({
        status: 200,
        op: { user_op_hash: hash, status: 'confirmed', success: true, sender: owner.sender },
      })
      return { owner, op }
    }),
  )

  const node = createPublicClient({ transport: http(chain.rpcUrl) })
  for (const { owner, op } of landed) {
    const { logs } = await node.getTransactionReceipt({ hash: op.transaction_hash as Hex })
    const own = parseEventLogs({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs }).filter(
      ({ args }) => args.userOpHash === op.user_op_hash,
    )
    expect(own.map(({ args }) => [args.sender, args.success, args.actualGasCost])).toEqual([
      [owner.sender, true, BigInt(op.actual_gas_cost_wei ?? 0)],
    ])
    const micro = (BigInt(op.actual_gas_cost_wei ?? 0) * priceEurE8 + 10n ** 20n - 1n) / 10n ** 20n
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: Number(micro) }])
    expect(op.actual_gas_cost_eur?.replace('.', '').replace(/^0+/, '')).toBe(micro.toString())
  }
  expect(new Set(landed.map(({ op }) => op.actual_gas_cost_wei)).size).toBeGreaterThan(3)
}, 60_000)
