import { devContracts } from '@symbolon/dev/testing/chain'
import { liftRates, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  type Built,
  buildOp,
  built,
  codeOf,
  newAccountOwner,
  type SmartAccountOwner,
  type WireCall,
} from '@symbolon/testing/evm'
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let chain: SharedChain
let app: TestApp
let owner: SmartAccountOwner

beforeAll(async () => {
  chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 2 }],
    prices: { fixed: new Map([['ETH', 300n * 10n ** 8n]]), feeds: new Map(), deviationMaxPercent: 50 },
  })
  const tenant = await makeTenant(app)
  await liftRates(app)
  owner = await newAccountOwner(app, tenant)
})
afterAll(() => app?.stop())

const targetAbi = devContracts().DevTarget.abi
const call = (functionName: string): WireCall => ({
  to: chain.contracts.target,
  data: encodeFunctionData({ abi: targetAbi, functionName }),
})
const stranger = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`)

test('a recipient is 20 bytes of hex with 0x in any letters; anything else is a bad recipient', async () => {
  const { address } = stranger
  const swapped = address.replace(/[a-f]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  for (const to of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, swapped]) {
    const { decoded_preview } = await built(app, owner, [{ to: to as Hex }])
    expect(decoded_preview, to).toMatchObject({ actions: [{ to: address }] })
  }
  for (const to of ['', address.slice(2), `${address}00`, `0X${address.slice(2)}`, `0x${'zz'.repeat(20)}`])
    expect(codeOf(await buildOp(app, owner, [call('poke'), { to: to as Hex }])), to).toBe('400 bad_to')
})

test('a preview that the client sends is echoed beside our own', async () => {
  const preview = { title: 'Buy a coffee' }
  const answer: Built = await built(app, owner, [call('poke')], { preview })
  expect(answer.preview).toEqual(preview)
  expect(answer.decoded_preview).toMatchObject({
    chain: 'local',
    from: owner.sender,
    expires_at: answer.expires_at,
  })
})
