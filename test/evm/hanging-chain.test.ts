import { setTimeout as sleep } from 'node:timers/promises'
import { devContracts } from '@symbolon/dev/testing/chain'
import {
  type CallOptions,
  liftRates,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  buildOp,
  built,
  confirmationsOf,
  endOf,
  monthsOf,
  newAccountOwner,
  provisioned,
  type SmartAccountOwner,
  sendOp,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let chain: SharedChain
let proxies: JsonRpcProxy[]
let app: TestApp
let tenant: Tenant
/** The same wallet on the chain that hangs, and on the one that does not. */
let owner: SmartAccountOwner
let elsewhere: SmartAccountOwner

beforeAll(async () => {
  const chains = await Promise.all([sharedChain('local'), sharedChain('local-2')])
  const [hanging, healthy] = chains
  chain = hanging
  proxies = await Promise.all([hanging.rpcUrl, hanging.bundlerUrl, hanging.paymasterUrl].map(jsonRpcProxy))
  const [rpcUrl, bundlerUrl, paymasterUrl] = proxies.map(({ url }) => url) as [string, string, string]
  app = await startTestApp({
    chains: [
      { handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 2 },
      { ...healthy, rpcUrls: [healthy.rpcUrl], confirmations: 2 },
    ],
    prices: { fixed: new Map([['ETH', 300n * 10n ** 8n]]), feeds: new Map(), deviationMaxPercent: 50 },
    userOpTimes: { waitMs: 5_000, resendSeconds: 1, roundMs: 200 },
  })
  tenant = await makeTenant(app)
  await liftRates(app)
  owner = await newAccountOwner(app, tenant)
  elsewhere = await provisioned(app, tenant, owner, 'local-2')
})
afterEach(() => {
  for (const proxy of proxies) proxy.heal()
})
afterAll(async () => {
  await app?.stop()
  for (const proxy of proxies ?? []) await proxy.stop()
})

const calls = () => [
  {
    to: chain.contracts.target,
    data: encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' }),
  },
]
async function signed(by: SmartAccountOwner): Promise<{ hash: Hex; signature: Hex }> {
  const { user_op_hash: hash } = await built(app, by, calls())
  return { hash, signature: await signOp(app, by, hash) }
}
async function timed<answer>(work: Promise<answer>): Promise<{ answer: answer; ms: number }> {
  const startedAt = performance.now()
  const answer = await work
  return { answer, ms: performance.now() - startedAt }
}

test('while a chain hangs every read is answered, its writes are refused in time, and other chains go on', async () => {
  const sent = await sendOp(app, owner, calls())
  expect(sent.data.status).toBe('confirmed')
  const op = await signed(owner)
  for (const proxy of proxies) proxy.fault('*', { kind: 'hang' })

  const refused = Promise.all([
    timed(buildOp(app, owner, calls())),
    timed(submitOp(app, owner, op.hash, op.signature)),
    timed(
      app.call('POST', '/v1/wallets/evm/prepare-tx', {
        ...owner.user,
        json: { chain: 'local', to: owner.sender },
      }),
    ),
  ])
  const { user, wallet } = owner
  const { sk } = tenant
  const reads: [path: string, credentials: CallOptions][] = [
    ['/v1/health', {}],
    ['/v1/ready', {}],
    ['/v1/chains', user],
    ['/v1/wallets/me', user],
    ['/v1/wallets', user],
    ['/v1/wallets/me/smart-accounts', user],
    [`/v1/userop/${sent.data.user_op_hash}`, user],
    [`/v1/userop/${op.hash}`, user],
    ['/v1/s2s/wallets', { sk }],
    [`/v1/s2s/wallets/${wallet.id}`, { sk }],
    [`/v1/s2s/wallets/${wallet.id}/smart-accounts`, { sk }],
  ]
  for (const [path, credentials] of reads) {
    const { answer, ms } = await timed(app.call('GET', path, credentials))
    expect(answer.status, path).toBeLessThan(500)
    expect(ms, path).toBeLessThan(3_000)
  }
  expect((await timed(sendOp(app, elsewhere, calls()))).answer.data).toMatchObject({ status: 'confirmed' })
  for (const { answer, ms } of await refused) {
    expect(answer.status, answer.text).toBe(502)
    expect(ms).toBeLessThan(8_000)
  }

  for (const proxy of proxies) proxy.heal()
  expect((await submitOp(app, owner, op.hash, op.signature)).data).toMatchObject({ status: 'confirmed' })
  expect(await confirmationsOf(chain, op.hash)).toHaveLength(1)
})

test('a bundler that hangs with an operation, taken or not, is waited for no longer than it may take, and it lands once', async () => {
  const bundler = proxies[1]
  if (bundler === undefined) throw new Error('There is no bundler.')
  const sends = () => bundler.calls('eth_sendUserOperation')
  const ops = [await signed(owner), await signed(owner)]
  const answers = []
  for (const [i, { hash, signature }] of ops.entries()) {
    if (i === 0) bundler.fault('eth_sendUserOperation', { kind: 'mute' }, 1)
    else bundler.fault('eth_sendUserOperation', { kind: 'hang' })
    const before = sends()
    answers.push(timed(submitOp(app, owner, hash, signature)))
    while (sends() === before) await sleep(5)
    answers.push(timed(submitOp(app, owner, hash, signature)))
  }
  for (const { answer, ms } of await Promise.all(answers)) {
    expect(answer.status).toBe(200)
    expect(['submitted', 'confirmed']).toContain(answer.data.status)
    // The bundler has 10 s to answer, and they count among those that the answer waits.
    expect(ms).toBeLessThan(16_000)
  }
  bundler.heal()
  for (const { hash } of ops) {
    expect(await endOf(app, owner, hash)).toMatchObject({ status: 'confirmed', success: true })
    expect(await confirmationsOf(chain, hash)).toHaveLength(1)
  }
  expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0 }])
}, 60_000)
