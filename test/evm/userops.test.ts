import { devContracts } from '@symbolon/dev/testing/chain'
import { builtOperationFromJson, userOperationHash } from '@symbolon/networks/evm'
import { operationFromJson, worstCostWei } from '@symbolon/server/testing/transactions'
import { liftRates, login, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  buildOp,
  buildWhenAnswered,
  built,
  codeOf,
  monthsOf,
  newAccountOwner,
  readOp,
  type SmartAccountOwner,
  sendOp,
  signOp,
  submitOp,
  type WireCall,
} from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { createPublicClient, encodeFunctionData, type Hex, http, keccak256, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address, toPackedUserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Cheap enough for many operations in one month. */
const eurPerEther = 300n

let chain: SharedChain
let bundler: JsonRpcProxy
let app: TestApp
let other: TestApp
let tenant: Tenant
let owner: SmartAccountOwner

beforeAll(async () => {
  chain = await sharedChain()
  bundler = await jsonRpcProxy(chain.bundlerUrl)
  const { rpcUrl, paymasterUrl } = chain
  const chains = [
    { handle: 'local', rpcUrls: [rpcUrl], bundlerUrl: bundler.url, paymasterUrl, confirmations: 2 },
  ]
  const prices = {
    fixed: new Map([['ETH', eurPerEther * 10n ** 8n]]),
    feeds: new Map(),
    deviationMaxPercent: 50,
  }
  app = await startTestApp({ chains, prices })
  other = await startTestApp({ installation: app, chains, prices })
  tenant = await makeTenant(app)
  await liftRates(app)
  owner = await newAccountOwner(app, tenant)
})
afterAll(async () => {
  await other?.stop()
  await app?.stop()
  await bundler?.stop()
})

const targetAbi = devContracts().DevTarget.abi
const call = (functionName: string, args: unknown[] = []): WireCall => ({
  to: chain.contracts.target,
  data: encodeFunctionData({ abi: targetAbi, functionName, args }),
})
const node = () => createPublicClient({ transport: http(chain.rpcUrl) })
const stranger = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`)

/** wei x EUR x 10^6 / 10^18, rounded up. */
const microOf = (wei: bigint) => (wei * eurPerEther + 10n ** 12n - 1n) / 10n ** 12n

type Stored = {
  operation: Record<string, Hex>
  state: string
  reserve: string | null
  held: string
  deploys: boolean
}
async function stored(hash: string): Promise<Stored> {
  const [row] = await app.sql<Stored[]>`
    select operation, state, reserve_micro as reserve, held_micro as held, deploys from user_operations where hash = ${hash}`
  if (row === undefined) throw new Error(`There is no operation ${hash}.`)
  return row
}

const eventsOf = async ({ wallet }: SmartAccountOwner) =>
  app.sql<{ success: boolean; error_code: string; payload: object }[]>`
    select success, error_code, payload from audit_events where wallet_id = ${wallet.id} and type = 27 order by n`

describe('an operation', () => {
  test('is shown to its owner as the hash is made of it, without what the paymaster has signed', async () => {
    const someone = await newAccountOwner(app, tenant)
    await chain.fund(someone.sender, parseEther('1'))
    for (const sponsored of [true, false]) {
      const answer = await buildOp(app, someone, [call('poke')], { sponsored })
      expect(answer.status).toBe(200)
      const { user_operation: shown, user_op_hash: hash } = answer.data
      expect(userOperationHash(builtOperationFromJson(shown), 31337)).toBe(hash)
      const { operation } = await stored(hash)
      const { paymaster, paymasterVerificationGasLimit, paymasterPostOpGasLimit, paymasterData, ...own } =
        operation
      expect(paymasterData !== undefined).toBe(sponsored)
      const { paymasterAndDataHash, ...fields } = shown
      expect(fields).toEqual(own)
      expect(paymasterAndDataHash !== undefined).toBe(sponsored)
      if (paymasterData !== undefined) {
        const { paymasterAndData } = toPackedUserOperation({
          ...operationFromJson(operation),
          signature: '0x',
        })
        expect(paymasterAndDataHash).toBe(keccak256(paymasterAndData))
        // Whoever had it could send the operation past the month's books.
        expect(answer.text).not.toContain(paymasterData.slice(2))
      }
    }
  })

  test('deploys its account, lands and is charged; the next one finds the account there', async () => {
    const first = await built(app, owner, [call('poke')])
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ settled: 0 }])
    expect((await stored(first.user_op_hash)).deploys).toBe(true)
    const { status, data } = await submitOp(
      app,
      owner,
      first.user_op_hash,
      await signOp(app, owner, first.user_op_hash),
    )

    expect(status).toBe(200)
    expect(data).toMatchObject({
      user_op_hash: first.user_op_hash,
      chain: 'local',
      chain_id: 31337,
      sender: owner.sender,
      status: 'confirmed',
      success: true,
      reason: null,
      sponsored: true,
    })
    const receipt = await node().getTransactionReceipt({ hash: data.transaction_hash as Hex })
    expect(data.block_number).toBe(Number(receipt.blockNumber))
    const micro = microOf(BigInt(data.actual_gas_cost_wei ?? 0))
    expect(data.actual_gas_cost_eur).toBe(`0.${micro.toString().padStart(6, '0')}`)
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: Number(micro) }])
    expect(await eventsOf(owner)).toEqual([
      {
        success: true,
        error_code: '',
        payload: { chain: 'local', user_op_hash: first.user_op_hash, sender: owner.sender },
      },
    ])
    const accounts = await app.call<{ items: { deployed: boolean; sponsor_policy: object }[] }>(
      'GET',
      '/v1/wallets/me/smart-accounts',
      { ...owner.user },
    )
    expect(accounts.data.items).toMatchObject([
      { deployed: true, sponsor_policy: { spent_eur: data.actual_gas_cost_eur } },
    ])

    const second = await built(app, owner, [call('poke'), call('poke')])
    const { operation, deploys } = await stored(second.user_op_hash)
    expect({ deploys, factory: operation['factory'] }).toEqual({ deploys: false, factory: undefined })
    const again = await submitOp(
      app,
      owner,
      second.user_op_hash,
      await signOp(app, owner, second.user_op_hash),
    )
    expect(again.data).toMatchObject({ status: 'confirmed', success: true })
  })

  test('has the hash that the EntryPoint has for it, sponsored or not, deploying or not', async () => {
    const fresh = await newAccountOwner(app, tenant)
    for (const { sender } of [owner, fresh]) await chain.fund(sender, parseEther('1'))
    for (const [by, rest] of [
      [owner, {}],
      [owner, { sponsored: false }],
      [fresh, {}],
      [fresh, { sponsored: false }],
    ] as const) {
      const { user_op_hash } = await built(app, by, [call('poke'), { to: stranger.address }], rest)
      const { operation, deploys } = await stored(user_op_hash)
      expect(deploys).toBe(by === fresh)
      expect(operation['paymaster'] === undefined).toBe('sponsored' in rest)
      const packed = toPackedUserOperation({
        ...operationFromJson(operation),
        signature: '0x',
      } as Parameters<typeof toPackedUserOperation>[0])
      const hash = await node().readContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'getUserOpHash',
        args: [packed],
      })
      expect(user_op_hash).toBe(hash)
    }
  })

  test('reserves its worst cost at the price of the build, rounded up', async () => {
    const { user_op_hash, decoded_preview } = await built(app, owner, [call('poke')])
    const { operation, reserve, held } = await stored(user_op_hash)
    const wei = worstCostWei(operationFromJson(operation))
    expect(decoded_preview.fee).toEqual({ asset: 'ETH', amount: wei.toString() })
    expect(reserve).toBe(microOf(wei).toString())
    expect(held).toBe(reserve)
  })

  test('without sponsorship is paid by the account and touches no month', async () => {
    const payer = await newAccountOwner(app, tenant)
    const own = { sponsored: false, check_funds: true }
    const paying = { ...call('poke'), value: parseEther('2').toString() }
    const lackOf = async (made: typeof paying) => (await buildOp(app, payer, [made], own)).error
    const lack = (has: string, needs: string) => ({
      code: 'estimate_gas_reverted',
      message: expect.stringMatching(
        `^Insufficient funds: the smart account has ${has} ETH and this needs ${needs} ETH, fees included.$`,
      ),
    })
    expect(await lackOf({ ...call('poke'), value: '0' })).toMatchObject(lack('0', '0\\.0\\d+'))
    expect(await lackOf(paying)).toMatchObject(lack('0', '2\\.0\\d+'))
    await chain.fund(payer.sender, parseEther('1'))
    expect(await lackOf(paying)).toMatchObject(lack('1', '2\\.0\\d+'))
    expect((await buildOp(app, payer, [call('poke')], own)).status).toBe(200)
    const { data } = await sendOp(app, payer, [{ ...call('poke'), value: '3' }], { sponsored: false })
    expect(data).toMatchObject({ status: 'confirmed', sponsored: false, actual_gas_cost_eur: null })
    const [balance, deposit] = await Promise.all([
      node().getBalance({ address: payer.sender }),
      node().readContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'balanceOf',
        args: [payer.sender],
      }),
    ])
    expect(parseEther('1') - 3n - balance - deposit).toBe(BigInt(data.actual_gas_cost_wei ?? 0))
    expect(await monthsOf(app, payer.wallet.id)).toEqual([])
  })

  test('that reverts on the chain has failed, with its reason, and is charged', async () => {
    const { user_op_hash } = await built(app, owner, [call('failIfGated')])
    const [before] = await monthsOf(app, owner.wallet.id)
    const gate = (value: bigint) => sendOp(app, owner, [call('setGate', [value])])
    expect((await gate(1n)).data.status).toBe('confirmed')
    const signature = await signOp(app, owner, user_op_hash)
    const { status, data } = await submitOp(app, owner, user_op_hash, signature)
    await gate(0n)
    expect(status).toBe(200)
    expect(data).toMatchObject({ status: 'failed', success: false, reason: 'DevTarget: gated' })
    expect(data.transaction_hash).toMatch(/^0x/)
    expect(Number(data.actual_gas_cost_eur)).toBeGreaterThan(0)
    const [after] = await monthsOf(app, owner.wallet.id)
    expect(after?.settled).toBeGreaterThan(before?.settled ?? 0)
  })

  test('whose calls revert in the estimate is refused with the reason and reserves nothing', async () => {
    const months = await monthsOf(app, owner.wallet.id)
    for (const [calls, reason] of [
      [[call('fail')], 'DevTarget: no'],
      [[call('poke'), call('fail')], 'DevTarget: no'],
      [[call('failPanic')], 'assertion failed'],
    ] as const) {
      const answer = await buildOp(app, owner, calls)
      expect(codeOf(answer)).toBe('422 estimate_gas_reverted')
      expect(answer.error?.message).toContain(reason)
    }
    expect(await monthsOf(app, owner.wallet.id)).toEqual(months)
  })
})

describe('a submit', () => {
  test('is sent once, however often and wherever it is submitted, and answers everybody the same', async () => {
    const { user_op_hash } = await built(app, owner, [call('poke')])
    const signature = await signOp(app, owner, user_op_hash)
    const before = bundler.calls('eth_sendUserOperation')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        submitOp(i % 2 === 0 ? app : other, owner, user_op_hash, signature),
      ),
    )
    const late = await submitOp(other, owner, user_op_hash, signature)
    expect(bundler.calls('eth_sendUserOperation') - before).toBe(1)
    for (const { status, data } of [...answers, late]) {
      expect(status).toBe(200)
      expect(data).toEqual(late.data)
    }
    expect(late.data.status).toBe('confirmed')
    expect((await readOp(app, owner, user_op_hash)).data).toEqual(late.data)
    expect(
      (await eventsOf(owner)).filter(({ payload }) => JSON.stringify(payload).includes(user_op_hash)),
    ).toHaveLength(1)
  })

  test("takes the owner's own signature only, in any spelling of v, and never with a high s", async () => {
    const { user_op_hash } = await built(app, owner, [call('poke')])
    const good = await signOp(app, owner, user_op_hash)
    const r = good.slice(2, 66)
    const s = BigInt(`0x${good.slice(66, 130)}`)
    const v = good.slice(130)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = (order - s).toString(16).padStart(64, '0')
    const refused: Record<string, string> = {
      'another key': await stranger.signMessage({ message: { raw: user_op_hash } }),
      'the bare hash': await stranger.sign({ hash: user_op_hash }),
      'another hash': await signOp(app, owner, `0x${'11'.repeat(32)}`),
      'a high s': `0x${r}${high}${v === '1b' ? '1c' : '1b'}`,
      'the wrong v': `${good.slice(0, 130)}${v === '1b' ? '1c' : '1b'}`,
      'v = 2': `${good.slice(0, 130)}02`,
      'with the type byte': `0x00${good.slice(2)}`,
      '64 bytes': good.slice(0, 130),
      nothing: '0x',
    }
    const before = bundler.calls('eth_sendUserOperation')
    for (const [name, signature] of Object.entries(refused)) {
      expect(codeOf(await submitOp(app, owner, user_op_hash, signature)), name).toBe('400 invalid_signature')
    }
    expect(bundler.calls('eth_sendUserOperation')).toBe(before)
    expect((await eventsOf(owner)).at(-1)).toMatchObject({ success: false, error_code: 'invalid_signature' })

    const zeroOrOne = `${good.slice(0, 130)}${v === '1b' ? '00' : '01'}`
    const { data } = await submitOp(app, owner, user_op_hash.toUpperCase().replace('0X', '0x'), zeroOrOne)
    expect(data).toMatchObject({ status: 'confirmed', user_op_hash })
  })

  test('of two operations that both deploy the account the later one has expired, and holds nothing', async () => {
    const fresh = await newAccountOwner(app, tenant)
    const pair = await Promise.all([built(app, fresh, [call('poke')]), built(app, fresh, [call('poke')])])
    const signatures = await Promise.all(pair.map(({ user_op_hash }) => signOp(app, fresh, user_op_hash)))
    const third = await built(app, fresh, [call('poke')])
    const answers = await Promise.all(
      pair.map(({ user_op_hash }, i) =>
        submitOp(i === 0 ? app : other, fresh, user_op_hash, signatures[i] ?? '0x'),
      ),
    )
    expect(answers.map(codeOf).sort()).toEqual([200, '410 expired'])
    const loser = answers.findIndex(({ status }) => status === 410)
    expect(await stored(pair[loser]?.user_op_hash ?? '')).toMatchObject({ state: 'expired', held: '0' })
    expect(
      codeOf(await submitOp(app, fresh, third.user_op_hash, await signOp(app, fresh, third.user_op_hash))),
    ).toBe('410 expired')
    expect(await monthsOf(app, fresh.wallet.id)).toMatchObject([{ reserved: 0 }])
  })

  test("of an operation that is not the caller's finds nothing, nor does reading it", async () => {
    const { user_op_hash } = await built(app, owner, [call('poke')])
    const signature = await signOp(app, owner, user_op_hash)
    const strangers = [await login(app, tenant), await login(app, await makeTenant(app))]
    for (const user of strangers) {
      expect(codeOf(await submitOp(app, { user }, user_op_hash, signature))).toBe('404 not_found')
    }
    expect(codeOf(await readOp(app, owner, user_op_hash)), 'built, not submitted').toBe('404 not_found')
    const { data } = await submitOp(app, owner, user_op_hash, signature)
    expect(data.status).toBe('confirmed')
    for (const user of strangers)
      expect(codeOf(await readOp(app, { user }, user_op_hash))).toBe('404 not_found')
    expect(codeOf(await readOp(app, owner, `0x${'22'.repeat(32)}`))).toBe('404 not_found')
    expect(codeOf(await readOp(app, owner, '0x1234'))).toBe('404 not_found')
  })

  test('of an archived wallet is refused, though it was built before', async () => {
    const archived = await newAccountOwner(app, tenant)
    const { user_op_hash } = await built(app, archived, [call('poke')])
    const signature = await signOp(app, archived, user_op_hash)
    const path = `/v1/s2s/wallets/${archived.wallet.id}`
    await app.call('POST', `${path}/archive`, { sk: tenant.sk })
    expect(codeOf(await submitOp(other, archived, user_op_hash, signature))).toBe('409 wallet_archived')
    expect(codeOf(await buildOp(other, archived, [call('poke')]))).toBe('409 wallet_archived')
    expect(await eventsOf(archived)).toMatchObject([{ success: false, error_code: 'wallet_archived' }])
    await app.call('POST', `${path}/unarchive`, { sk: tenant.sk })
    expect((await submitOp(app, archived, user_op_hash, signature)).data.status).toBe('confirmed')
  })
})

describe('the cap', () => {
  test('is never passed by 50 builds at once in two processes', async () => {
    const edge = await newAccountOwner(app, tenant)
    const { user_op_hash } = await built(app, edge, [call('poke')])
    const one = Number((await stored(user_op_hash)).reserve)
    // Room for about ten more.
    await app.sql`update sponsor_months set settled_micro = ${10_000_000 - 11 * one} where wallet_id = ${edge.wallet.id}`
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        buildWhenAnswered(i % 2 === 0 ? app : other, edge, [call('poke')]),
      ),
    )
    const codes = answers.map(codeOf)
    const refused = answers.find(({ status }) => status === 402)
    const [month] = await app.sql<{ reserved: number; settled: number }[]>`
      select reserved_micro::int as reserved, settled_micro::int as settled from sponsor_months
      where wallet_id = ${edge.wallet.id}`
    const sum = (month?.reserved ?? 0) + (month?.settled ?? 0)
    expect(sum).toBeLessThanOrEqual(10_000_000)
    expect(new Set(codes)).toEqual(new Set([200, '402 gas_cap_exceeded']))
    // As full as it gets: what is left would not have paid for one more.
    expect(10_000_000 - sum).toBeLessThan(one * 1.2)
    const details = refused?.error?.details as { cap_eur: string; left_eur: string }
    expect(details.cap_eur).toBe('10.000000')
    expect(details.left_eur).toMatch(/^\d\.\d{6}$/)
    for (const eur of Object.values(details)) expect(refused?.error?.message).toContain(eur)
  })
})
