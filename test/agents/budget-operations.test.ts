import { anyAddress, mintSession, mySession, roomForFees, signAs, violation } from '@symbolon/testing/agents'
import {
  type Installation,
  liftRates,
  makeTenant,
  startInstallation,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { built, newAccountOwner, type SmartAccountOwner, submitOp } from '@symbolon/testing/evm'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

const units = 5
const operations = 8

let chain: SharedChain
let installation: Installation
let apps: [TestApp, TestApp]
let tenant: Tenant
let owner: SmartAccountOwner

beforeAll(async () => {
  ;[chain, installation] = await Promise.all([sharedChain(), startInstallation()])
  const { handle, rpcUrl, bundlerUrl, paymasterUrl } = chain
  const chains = [{ handle, rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }]
  // Cheap enough that the month's sponsorship pays for all of them.
  const prices = { fixed: new Map([['ETH', 30n * 10n ** 8n]]), feeds: new Map(), deviationMaxPercent: 50 }
  apps = [
    await startTestApp({ installation, chains, prices }),
    await startTestApp({ installation, chains, prices }),
  ]
  await liftRates(apps[0])
  tenant = await makeTenant(apps[0])
  owner = await newAccountOwner(apps[0], tenant)
  await chain.fund(owner.sender, parseEther('1'))
})
afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.stop()))
  await installation?.stop()
})

const mint = () =>
  mintSession(apps[0], tenant, owner.wallet.id, {
    max_spend_total_native: String(units),
    allowed_chains: ['local'],
  })

test('operations are spent by their calls, once each, however their hash is handed in', async () => {
  const session = await mint()
  const hashes: string[] = []
  for (let i = 0; i < operations; i++) {
    hashes.push((await built(apps[0], owner, [{ to: anyAddress(), value: '1' }])).user_op_hash)
  }
  const answers = await Promise.all(
    hashes.flatMap((hash, i) => [
      signAs(apps[i % 2 === 0 ? 0 : 1], session.token, {
        type: 'user_operation',
        user_op_hash: hash,
        chain: 'local',
      }),
      signAs(apps[i % 2 === 0 ? 1 : 0], session.token, {
        type: 'message',
        message: hash,
        encoding: 'hex',
        chain: 'local',
      }),
    ]),
  )
  const refusals = answers.filter(({ status }) => status !== 200).map((answer) => violation(answer)?.reason)
  expect(new Set(refusals)).toEqual(new Set(['total_cap_exceeded']))
  const signatures = answers.flatMap(({ status, data }) => (status === 200 ? [data.signature] : []))
  expect(new Set(signatures).size).toBe(units)
  expect(await mySession(apps[0], session.token)).toMatchObject({
    spent_total_native: String(units),
    reserved_native: '0',
    remaining_native: '0',
  })
  const signed = answers.findIndex(({ status }) => status === 200)
  const submitted = await submitOp(
    apps[0],
    owner,
    String(hashes[signed >> 1]),
    String(answers[signed]?.data.signature),
  )
  expect(submitted.data).toMatchObject({ status: 'confirmed', success: true })
})

test('what an account pays for its gas is spent too, and shown as the fee; what a paymaster pays is not', async () => {
  const session = await mintSession(apps[0], tenant, owner.wallet.id, roomForFees)
  const signOne = async (sponsored: boolean) => {
    const { user_op_hash } = await built(apps[0], owner, [{ to: anyAddress(), value: '1' }], { sponsored })
    const request = { type: 'user_operation', user_op_hash, chain: 'local' }
    const { status, data, text } = await signAs(apps[0], session.token, request)
    expect(status, text).toBe(200)
    return data.decoded_preview.fee
  }
  expect(await signOne(true)).toBeNull()
  expect(await mySession(apps[0], session.token)).toMatchObject({ spent_total_native: '1' })
  const fee = BigInt((await signOne(false))?.amount ?? 0)
  expect(fee).toBeGreaterThan(0n)
  expect(await mySession(apps[0], session.token)).toMatchObject({ spent_total_native: String(2n + fee) })
})

test('the hash of a stored operation says by itself on which chain it is', async () => {
  const session = await mint()
  const [first, second] = [anyAddress(), anyAddress()]
  for (const [to, more] of [
    [first, (hash: string) => ({ type: 'user_operation', user_op_hash: hash })],
    [second, (hash: string) => ({ type: 'message', message: hash, encoding: 'hex' })],
  ] as const) {
    const { user_op_hash } = await built(apps[0], owner, [{ to, value: '1' }])
    const dry = await signAs(apps[0], session.token, { ...more(user_op_hash), dry_run: true })
    expect(dry.data, dry.text).toMatchObject({ chain: 'local', decision: { outcome: 'allowed' } })
    const { status, data, text } = await signAs(apps[0], session.token, more(user_op_hash))
    expect(status, text).toBe(200)
    expect(data).toMatchObject({ chain: 'local' })
    const elsewhere = await signAs(apps[0], session.token, { ...more(user_op_hash), chain: 'base' })
    expect(violation(elsewhere)).toMatchObject({ reason: 'chain_not_allowed' })
  }
  expect(await mySession(apps[0], session.token)).toMatchObject({ spent_total_native: '2' })
})

test('the hash of nobody’s operation, and of another wallet’s, is not signed', async () => {
  const session = await mint()
  const stranger = await newAccountOwner(apps[0], tenant)
  await chain.fund(stranger.sender, parseEther('1'))
  const { user_op_hash } = await built(apps[0], stranger, [{ to: anyAddress(), value: '1' }])
  for (const hash of [user_op_hash, `0x${'ab'.repeat(32)}`]) {
    const operation = await signAs(apps[0], session.token, {
      type: 'user_operation',
      user_op_hash: hash,
      chain: 'local',
    })
    expect(violation(operation)).toMatchObject({ reason: 'payload_undecodable' })
    const message = { type: 'message', message: hash, encoding: 'hex', chain: 'local' }
    expect(violation(await signAs(apps[0], session.token, message))).toMatchObject({
      reason: 'message_is_transaction',
    })
  }
  expect(await mySession(apps[0], session.token)).toMatchObject({
    spent_total_native: '0',
    reserved_native: '0',
  })
})
