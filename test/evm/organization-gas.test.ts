import { devContracts } from '@symbolon/dev/testing/chain'
import { makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { buildOp, codeOf, newAccountOwner, type SmartAccountOwner } from '@symbolon/testing/evm'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let chain: SharedChain
let app: TestApp

beforeAll(async () => {
  chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 2 }],
    prices: {
      fixed: new Map([['ETH', 300n * 10n ** 8n]]),
      feeds: new Map(),
      deviationMaxPercent: 50,
    },
  })
})
afterAll(() => app?.stop())

const build = (owner: SmartAccountOwner) => {
  const data = encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' })
  return buildOp(app, owner, [{ to: chain.contracts.target, data }])
}

test('the gas of an organization stops every wallet of it, says so, and shows nobody the sum', async () => {
  const small = await makeTenant(app)
  const [first, second] = [await newAccountOwner(app, small), await newAccountOwner(app, small)]
  const stranger = await newAccountOwner(app, await makeTenant(app))
  await app.sql`update organizations set sponsored_gas_eur_per_month = 6 where id = ${small.id}`
  await app.sql`
    insert into sponsor_months (wallet_id, month, settled_micro)
    values (${first.wallet.id}, to_char(app_now() at time zone 'UTC', 'YYYY-MM'), 5999999)`
  const answer = await build(second)
  expect(codeOf(answer)).toBe('402 gas_cap_exceeded')
  expect(answer.error).toMatchObject({
    message:
      "This organization's budget for sponsored gas this month does not cover this operation: EUR 0.000001 of the wallet's EUR 10.000000 is left.",
    details: { cap_eur: '10.000000', left_eur: '0.000001' },
  })
  expect((await build(stranger)).status, 'another organization').toBe(200)
  await app.sql`update organizations set sponsored_gas_eur_per_month = 7 where id = ${small.id}`
  expect((await build(second)).status).toBe(200)
})

test('the gas of the installation stops the wallets of every organization, and says so', async () => {
  const owners = [
    await newAccountOwner(app, await makeTenant(app)),
    await newAccountOwner(app, await makeTenant(app)),
  ] as const
  const limit = (eur: number) => app.sql`update installation_quotas set sponsored_gas_eur_per_month = ${eur}`
  const [{ used } = { used: 0 }] = await app.sql<{ used: number }[]>`
    select (reserved_micro + settled_micro)::int as used from installation_gas_months`
  const left = 1_000_000 * Math.ceil(used / 1_000_000) - used
  await limit(Math.ceil(used / 1_000_000) + 5)
  await app.sql`
    insert into sponsor_months (wallet_id, month, settled_micro)
    values (${owners[0].wallet.id}, to_char(app_now() at time zone 'UTC', 'YYYY-MM'), ${left + 4_999_999})`
  for (const owner of owners) {
    const answer = await build(owner)
    expect(codeOf(answer)).toBe('402 gas_cap_exceeded')
    expect(answer.error).toMatchObject({
      message:
        "This installation's budget for sponsored gas this month does not cover this operation: EUR 0.000001 of the wallet's EUR 10.000000 is left.",
      details: { cap_eur: '10.000000', left_eur: '0.000001' },
    })
  }
  await limit(10_000)
  for (const owner of owners) expect((await build(owner)).status).toBe(200)
})
