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
      'What this organization has for sponsored gas this month does not cover this operation: EUR 0.000001 is left.',
    details: { cap_eur: '10.000000', left_eur: '0.000001' },
  })
  expect((await build(stranger)).status, 'another organization').toBe(200)
  await app.sql`update organizations set sponsored_gas_eur_per_month = 7 where id = ${small.id}`
  expect((await build(second)).status).toBe(200)
})
