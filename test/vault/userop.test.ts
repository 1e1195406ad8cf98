import type { UserOpStatus, Wallet } from '@symbolon/api'
import { devContracts } from '@symbolon/dev/testing/chain'
import { builtOperationFromJson, lightAccountFactory, userOperationHash } from '@symbolon/networks/evm'
import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Device, lost, newDevice } from './vault-fixture.ts'

let app: TestApp
let chain: SharedChain
let tenant: Tenant
let device: Device
let wallet: Wallet
let user: User

beforeAll(async () => {
  chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
    prices: { fixed: new Map([['ETH', 30n * 10n ** 8n]]), feeds: new Map(), deviationMaxPercent: 50 },
  })
  tenant = await makeTenant(app, { signingMode: 'client' })
  user = await login(app, tenant)
  device = newDevice(app, tenant, user, { isConfirmationShown: true })
  wallet = (await device.call('wallet.create', { curve: 'secp256k1' })) as unknown as Wallet
  const made = await app.call('POST', '/v1/wallets/me/smart-accounts', { ...user, json: { chain: 'local' } })
  expect(made.status).toBe(201)
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await forgetRates(app)
  device.setWire((_call, go) => go())
  device.person.seen.length = 0
})

const targetAbi = devContracts().DevTarget.abi
const calls = () => [{ to: chain.contracts.target, value: '0', data: '0x' }]

/** Changes what a build answers. */
function lyingBuild(
  change: (data: Record<string, unknown> & { user_operation: Record<string, string> }) => unknown,
) {
  device.setWire(async ({ path }, go) => {
    const answer = await go()
    if (path !== '/v1/userop/build') return answer
    const body = await answer.json()
    return Response.json({ ...body, data: change(body.data) })
  })
}

const submitted = () => device.calls.filter((call) => call.endsWith('/v1/userop/submit')).length

describe('an operation of the smart account', () => {
  test('is shown from its calls, signed here and lands; a lost answer of the submission is asked for again', async () => {
    let count = 0
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      return path === '/v1/userop/submit' && ++count === 1 ? lost() : answer
    })
    const data = encodeFunctionData({ abi: targetAbi, functionName: 'poke' })
    const status = (await device.call('userop.send', {
      chain: 'local',
      calls: [{ to: chain.contracts.target, data }, ...calls()],
    })) as unknown as UserOpStatus
    expect(status.status).not.toBe('failed')
    expect(count).toBe(2)
    const [view] = device.person.seen
    expect(view).toMatchObject({ subject: 'operation', chainId: 31_337, feePaidBy: 'Test' })
    expect(view?.preview.from).toBe(status.sender)
    expect(view?.preview.actions.length).toBeGreaterThan(1)
    expect(wallet.addresses['evm']).not.toBe(status.sender)
  })

  const other = `0x${'99'.repeat(20)}`
  const lies: [string, Parameters<typeof lyingBuild>[0]][] = [
    ['another sender', (data) => ({ ...data, user_operation: { ...data.user_operation, sender: other } })],
    ['other calls', (data) => ({ ...data, user_operation: { ...data.user_operation, callData: '0x1234' } })],
    ['another nonce', (data) => ({ ...data, user_operation: { ...data.user_operation, nonce: '0x7' } })],
    ['another hash', (data) => ({ ...data, user_op_hash: `0x${'42'.repeat(32)}` })],
    [
      'another paymaster',
      (data) => ({
        ...data,
        user_operation: { ...data.user_operation, paymasterAndDataHash: `0x${'01'.repeat(32)}` },
      }),
    ],
    [
      'another factory',
      (data) => ({ ...data, user_operation: { ...data.user_operation, factory: other, factoryData: '0x' } }),
    ],
  ]
  test('that reverts or costs more than the account has is refused with the reason, before any dialog', async () => {
    const data = encodeFunctionData({ abi: targetAbi, functionName: 'fail' })
    const refused = (call: object) =>
      device.call('userop.send', { chain: 'local', calls: [{ ...calls()[0], ...call }] })
    await expect(refused({ data })).rejects.toMatchObject({
      code: 'estimate_gas_reverted',
      message: 'DevTarget: no',
      details: { reason: 'DevTarget: no', data: expect.stringMatching(/^0x08c379a0/) },
    })
    await expect(refused({ value: '200000000000000000' })).rejects.toMatchObject({
      message:
        'Insufficient funds: the smart account has 0 ETH and this sends 0.2 ETH. The fees are sponsored.',
    })
    expect(device.person.seen).toEqual([])
  })

  test.each(lies)('that has %s than was asked for is not signed, nor shown', async (_name, change) => {
    lyingBuild(change)
    const before = submitted()
    expect(await device.outcome('userop.send', { chain: 'local', calls: calls() })).toBe('preview_mismatch')
    expect(device.person.seen).toEqual([])
    expect(submitted()).toBe(before)
  })

  test.each([
    ['sender', { sender: other }],
    ['factory', { factory: other, factoryData: '0x1234' }],
    ['factory data', { factory: lightAccountFactory, factoryData: '0x1234' }],
  ])('of another %s, with the hash of exactly that, is not signed', async (_name, change) => {
    lyingBuild((data) => {
      const user_operation = { ...data.user_operation, ...change }
      const user_op_hash = userOperationHash(builtOperationFromJson(user_operation), 31_337)
      return { ...data, user_operation, user_op_hash }
    })
    expect(await device.outcome('userop.send', { chain: 'local', calls: calls() })).toBe('preview_mismatch')
  })

  test('that is right in itself but of other calls is not signed', async () => {
    const data = encodeFunctionData({ abi: targetAbi, functionName: 'poke' })
    const asked = { method: 'POST', path: '/v1/userop/build' }
    device.setWire(async (call, go) => {
      if (call.path !== asked.path) return go()
      await go()
      const { pk, token } = user
      const json = { chain: 'local', calls: [{ to: chain.contracts.target, value: '0', data }] }
      const { text } = await app.call(asked.method, asked.path, { pk, token, json })
      return new Response(text)
    })
    expect(await device.outcome('userop.send', { chain: 'local', calls: calls() })).toBe('preview_mismatch')
  })

  test('that this device could not sign is not even built: nothing is reserved', async () => {
    const elsewhere = newDevice(app, tenant, user)
    expect(await elsewhere.outcome('userop.send', { chain: 'local', calls: calls() })).toBe(
      'device_share_missing',
    )
    expect(elsewhere.calls).not.toContain('POST /v1/userop/build')
  })

  test('that the person declines is neither signed nor submitted', async () => {
    const before = submitted()
    device.person.isAgreeing = false
    expect(await device.outcome('userop.send', { chain: 'local', calls: calls() })).toBe('user_rejected')
    device.person.isAgreeing = true
    expect(submitted()).toBe(before)
  })

  test('on a chain outside EVM, or with calls of another form, is refused', async () => {
    expect(await device.outcome('userop.send', { chain: 'solana', calls: calls() })).toBe('chain_unsupported')
    expect(await device.outcome('userop.send', { chain: 'local', calls: [] })).toBe('invalid_request')
    expect(await device.outcome('userop.send', { chain: 'base', calls: calls() })).toBe('chain_unsupported')
  })
})
