import { setTimeout as sleep } from 'node:timers/promises'
import type { SmartAccount, Wallet } from '@symbolon/api'
import { type DevChain, jsonRpc } from '@symbolon/dev/testing/chain'
import {
  encodeCreateAccount,
  encodeGetAddress,
  entryPoint,
  lightAccountAddress,
  lightAccountFactory,
} from '@symbolon/networks/evm'
import {
  forgetRates,
  liftRates,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { ownChain } from '@symbolon/testing/chain'
import { testIds } from '@symbolon/testing/database'
import { codeOf } from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let chains: DevChain[]
let proxy: JsonRpcProxy
let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  chains = await Promise.all([
    ownChain({ withBundler: false }),
    ownChain({ handle: 'local-2', withBundler: false }),
  ])
  const [local, local2] = chains as [DevChain, DevChain]
  proxy = await jsonRpcProxy(local.rpcUrl)
  const wired = [
    {
      handle: 'local',
      rpcUrls: [proxy.url],
      bundlerUrl: local.bundlerUrl,
      paymasterUrl: local.paymasterUrl,
      confirmations: 2,
    },
    { handle: 'local-2', rpcUrls: [local2.rpcUrl], confirmations: 2 },
  ]
  app = await startTestApp({ chains: wired })
  second = await startTestApp({ installation: app, chains: wired })
  tenant = await makeTenant(app)
  await liftRates(app)
})
afterAll(async () => {
  await second?.stop()
  await app?.stop()
  await proxy?.stop()
  await Promise.all((chains ?? []).map((chain) => chain.stop()))
})
afterEach(() => proxy.heal())

type Owner = { user: User; wallet: Wallet }

async function newOwner(): Promise<Owner> {
  const user = await login(app, tenant)
  return { user, wallet: await makeWallet(app, user) }
}

const mine = '/v1/wallets/me/smart-accounts'
const ofWallet = (id: string) => `/v1/s2s/wallets/${id}/smart-accounts`

const provision = ({ user }: { user: User }, chain: unknown = 'local', by = app) =>
  by.call<SmartAccount>('POST', mine, { ...user, json: { chain } })
const provisionFor = (walletId: string, sk = tenant.sk, chain: unknown = 'local', by = app) =>
  by.call<SmartAccount>('POST', ofWallet(walletId), { sk, json: { chain } })
const list = async ({ user }: { user: User }) =>
  (await app.call<{ items: SmartAccount[] }>('GET', mine, { ...user })).data.items

const archive = ({ wallet }: Owner) =>
  app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk: tenant.sk })

const eventsOf = async ({ wallet }: Owner) =>
  app.sql`select actor_type, actor_id, success, payload from audit_events
    where wallet_id = ${wallet.id} and type = 26 order by n`
const rowsOf = async ({ wallet }: Owner) =>
  app.sql`select 1 from smart_accounts where wallet_id = ${wallet.id}`

async function onChain(index: number, method: string, params: unknown[]): Promise<Hex> {
  const rpc = jsonRpc(chains[index]?.rpcUrl ?? '')
  try {
    return await rpc.call<Hex>(method, params)
  } finally {
    rpc.close()
  }
}

/** Deploys the owner's account as its first operation would. */
async function deploy({ wallet }: Owner, index = 0): Promise<void> {
  const [from] = (await onChain(index, 'eth_accounts', [])) as unknown as [Hex]
  const data = encodeCreateAccount(wallet.address as Hex)
  const hash = await onChain(index, 'eth_sendTransaction', [{ from, to: lightAccountFactory, data }])
  for (let i = 0; i < 200; i++) {
    if ((await onChain(index, 'eth_getTransactionReceipt', [hash])) !== null) return
    await sleep(10)
  }
}

describe('a smart account', () => {
  test('is the one that the factory would make for the wallet, returned as documented', async () => {
    const owner = await newOwner()
    const address = lightAccountAddress(owner.wallet.address as Hex)
    const call = { to: lightAccountFactory, data: encodeGetAddress(owner.wallet.address as Hex) }
    expect(BigInt(await onChain(0, 'eth_call', [call, 'latest']))).toBe(BigInt(address))

    const { status, data } = await provision(owner)
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      wallet_id: owner.wallet.id,
      chain: 'local',
      chain_id: 31_337,
      factory: lightAccountFactory,
      entry_point: entryPoint,
      address,
      owner_address: owner.wallet.addresses['evm'],
      deployed: false,
      sponsor_policy: {
        sponsored: true,
        monthly_cap_eur: '10.000000',
        spent_eur: '0.000000',
        period: new Date().toISOString().slice(0, 7),
      },
      created_by: 'end_user',
      created_at: expect.stringMatching(/Z$/),
    })
    expect(await list(owner)).toEqual([data])
    expect(await eventsOf(owner)).toEqual([
      {
        actor_type: 'end_user',
        actor_id: owner.user.id,
        success: true,
        payload: { chain: 'local', address },
      },
    ])
  })

  test('of the backend’s making names the owner, and is the same to both', async () => {
    const owner = await newOwner()
    const made = await provisionFor(owner.wallet.id)
    expect(made).toMatchObject({ status: 201, data: { created_by: 'owner' } })
    expect((await provision(owner)).data).toEqual(made.data)
    for (const sk of [tenant.sk, tenant.readKey]) {
      const read = await app.call<{ items: SmartAccount[] }>('GET', ofWallet(owner.wallet.id), { sk })
      expect(read.data.items).toEqual([made.data])
    }
    expect(await eventsOf(owner)).toMatchObject([{ actor_type: 'api_key', actor_id: tenant.keyId }])
  })

  test('has one address and a record of its own on every chain, oldest first', async () => {
    const owner = await newOwner()
    const made = [(await provision(owner, 'local-2')).data, (await provision(owner)).data]
    expect(await list(owner)).toEqual(made)
    expect(new Set(made.map(({ address }) => address)).size).toBe(1)
    expect(
      made.map(({ chain, chain_id, sponsor_policy }) => [chain, chain_id, sponsor_policy.sponsored]),
    ).toEqual([
      ['local-2', 31_338, false],
      ['local', 31_337, true],
    ])
  })

  test('asked for fifty times at once in both lanes and two processes is one row and one event', async () => {
    const owner = await newOwner()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const by = i % 4 < 2 ? app : second
        return i % 2 === 0
          ? provision(owner, 'local', by)
          : provisionFor(owner.wallet.id, tenant.sk, 'local', by)
      }),
    )
    expect(new Set(answers.map(codeOf))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(await rowsOf(owner)).toHaveLength(1)
    expect(await eventsOf(owner)).toHaveLength(1)
  })

  test('can be owned by a wallet of client mode', async () => {
    const client = await makeTenant(app, { signingMode: 'client' })
    const user = await login(app, client)
    const { wallet } = await newOwner()
    const id = testIds.next()
    await app.sql`insert into wallets (id, organization_id, user_identity_id, curve, chain_type, account_type, address,
        addresses, public_key, signing_mode, org_seq)
      select ${id}, ${client.id}, ${user.id}, curve, chain_type, account_type, address, addresses, public_key, 'client', 1
      from wallets where id = ${wallet.id}`
    expect((await provision({ user })).data).toMatchObject({ wallet_id: id, owner_address: wallet.address })
  })
})

describe('deployed', () => {
  test('is read from the chain, then remembered though the node is gone', async () => {
    const owner = await newOwner()
    await provision(owner)
    await provision(owner, 'local-2')
    await deploy(owner)
    const deployedOf = async () => (await list(owner)).map(({ chain, deployed }) => [chain, deployed])
    const expected = [
      ['local', true],
      ['local-2', false],
    ]
    expect(await deployedOf()).toEqual(expected)
    await proxy.refuse()
    try {
      expect(await deployedOf()).toEqual(expected)
    } finally {
      await proxy.accept()
    }
  })

  test('is seen when an account is provisioned that was there before', async () => {
    const owner = await newOwner()
    await deploy(owner)
    expect((await provision(owner)).data.deployed).toBe(true)
  })

  test('is what was known when a node hangs, after a second at most, and the other chains are reported truly', async () => {
    const owner = await newOwner()
    await provision(owner)
    await provision(owner, 'local-2')
    await Promise.all([deploy(owner), deploy(owner, 1)])
    proxy.fault('eth_getCode', { kind: 'hang' })
    const startedAt = performance.now()
    expect((await list(owner)).map(({ chain, deployed }) => [chain, deployed])).toEqual([
      ['local', false],
      ['local-2', true],
    ])
    const tookMs = performance.now() - startedAt
    expect(tookMs).toBeGreaterThan(900)
    expect(tookMs).toBeLessThan(3_000)
  })
})

describe('a node', () => {
  test.each([
    ['is gone', { kind: 'cut' }],
    ['knows no factory', { kind: 'answer', result: '0x' }],
    ['names another address', { kind: 'answer', result: `0x${'11'.repeat(20).padStart(64, '0')}` }],
    ['names dirty bytes before the address', { kind: 'alter', with: dirty }],
    [
      'says that the factory reverts',
      { kind: 'error', error: { code: 3, message: 'execution reverted', data: '0x' } },
    ],
  ] as const)('that %s makes no account', async (_, fault) => {
    const owner = await newOwner()
    proxy.fault('eth_call', fault)
    expect(codeOf(await provision(owner))).toBe('502 rpc_failed')
    expect(codeOf(await provisionFor(owner.wallet.id))).toBe('502 rpc_failed')
    expect(await rowsOf(owner)).toEqual([])
    expect(await eventsOf(owner)).toEqual([])
    proxy.heal()
    expect(codeOf(await provision(owner))).toBe(201)
  })

  test('is not asked about an account that is there', async () => {
    const owner = await newOwner()
    const { data } = await provision(owner)
    proxy.fault('*', { kind: 'cut' })
    expect(await provision(owner)).toMatchObject({ status: 201, data })
  })
})

describe('a wallet', () => {
  test('that is archived gets no account, and its account is no longer returned', async () => {
    const owner = await newOwner()
    await provision(owner)
    await archive(owner)
    for (const chain of ['local', 'local-2']) {
      expect(codeOf(await provision(owner, chain)), chain).toBe('409 wallet_archived')
      expect(codeOf(await provisionFor(owner.wallet.id, tenant.sk, chain)), chain).toBe('409 wallet_archived')
    }
    expect(await list(owner)).toHaveLength(1)
  })

  test('that is archived while the node is asked gets none either', async () => {
    const owner = await newOwner()
    proxy.fault('eth_call', { kind: 'delay', ms: 500 })
    const asked = proxy.calls('eth_call')
    const provisioning = provision(owner)
    await expect.poll(() => proxy.calls('eth_call')).toBeGreaterThan(asked)
    await archive(owner)
    expect(codeOf(await provisioning)).toBe('409 wallet_archived')
    expect(await rowsOf(owner)).toEqual([])
    expect(await eventsOf(owner)).toEqual([])
  })

  test('has to be there and of secp256k1', async () => {
    const user = await login(app, tenant)
    expect(codeOf(await provision({ user }))).toBe('404 wallet_not_found')
    expect(codeOf(await app.call('GET', mine, { ...user }))).toBe('404 wallet_not_found')
    const { id } = await makeWallet(app, user, 'ed25519')
    expect(codeOf(await provision({ user }))).toBe('400 invalid_curve')
    expect(codeOf(await provisionFor(id))).toBe('400 invalid_curve')
    expect(await list({ user })).toEqual([])
    await makeWallet(app, user)
    expect(codeOf(await provision({ user }))).toBe(201)
    // The user's ed25519 wallet is another wallet still.
    expect(codeOf(await provisionFor(id))).toBe('400 invalid_curve')
  })

  test('of another organization is as absent as none', async () => {
    const { wallet } = await newOwner()
    const { sk } = await makeTenant(app)
    for (const id of [wallet.id, testIds.next()]) {
      const answers = [await provisionFor(id, sk), await app.call('GET', ofWallet(id), { sk })]
      expect(answers.map(codeOf)).toEqual(Array(2).fill('404 wallet_not_found'))
    }
    expect(codeOf(await provisionFor('nonsense'))).toBe('404 not_found')
    expect(codeOf(await provisionFor(wallet.id, tenant.readKey))).toBe('403 insufficient_scope')
  })

  test('gets no account on a chain that is unknown, of another network, not wired or not enabled', async () => {
    const owner = await newOwner()
    for (const chain of ['nowhere', 'solana', 'base', '__proto__']) {
      expect(codeOf(await provision(owner, chain)), chain).toBe('400 chain_unsupported')
      expect(codeOf(await provisionFor(owner.wallet.id, tenant.sk, chain)), chain).toBe(
        '400 chain_unsupported',
      )
    }
    for (const chain of ['', null, 1, undefined]) {
      expect(codeOf(await provision(owner, chain === undefined ? {} : chain))).toBe('400 invalid_request')
    }
    const other = await makeTenant(app, { supportedNetworks: ['bitcoin'] })
    const { id } = await makeWalletFor(app, other)
    expect(codeOf(await provisionFor(id, other.sk))).toBe('400 chain_unsupported')
  })
})

test('the amount spent is what is settled and reserved in this month, and starts anew with the next', async () => {
  const owner = await newOwner()
  await provision(owner)
  const month = (atMs: number) => new Date(atMs).toISOString().slice(0, 7)
  const now = Date.now()
  const policyOf = async () => (await list(owner))[0]?.sponsor_policy
  await app.sql`insert into sponsor_months (wallet_id, month, reserved_micro, settled_micro) values
    (${owner.wallet.id}, ${month(now)}, 1_234_567, 8_000_001), (${owner.wallet.id}, '2020-01', 5, 5)`
  expect(await policyOf()).toMatchObject({ spent_eur: '9.234568', period: month(now) })
  // The last millisecond of the month, then the first of the next; tokens live for an hour.
  const date = new Date(now)
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  await app.sql`update sponsor_months set month = ${month(nextMonth - 1)} where month = ${month(now)}`
  const periods: unknown[] = []
  for (const atMs of [nextMonth - 1, nextMonth]) {
    await stopClock(app, atMs)
    try {
      const read = await app.call<{ items: SmartAccount[] }>('GET', ofWallet(owner.wallet.id), {
        sk: tenant.sk,
      })
      periods.push(read.data.items[0]?.sponsor_policy)
    } finally {
      await startClock(app)
    }
  }
  expect(periods).toMatchObject([
    { spent_eur: '9.234568', period: month(nextMonth - 1) },
    { spent_eur: '0.000000', period: month(nextMonth) },
  ])
  await forgetRates(app)
})

function dirty(answer: Record<string, unknown>): unknown {
  return { ...answer, result: `0x01${String(answer['result']).slice(4)}` }
}
