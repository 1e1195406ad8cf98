import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  allGone,
  type DevJson,
  dataFolder,
  descendants,
  type StartedPlatform,
  startedPlatform,
} from '@symbolon/testing/platform'
import { until } from '@symbolon/testing/wait'
import { afterAll, afterEach, expect, test } from 'vitest'

const folder = dataFolder()
const chainWithinMs = 70_000
const started: StartedPlatform[] = []
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

afterEach(async () => {
  for (const { launcher, ended } of started.splice(0)) {
    launcher.kill('SIGTERM')
    await ended()
  }
})
afterAll(() => folder.remove())

async function start(environment: Record<string, string> = {}): Promise<StartedPlatform> {
  const platform = await startedPlatform({
    dataFolder: folder.path,
    environment: { SYMBOLON_CHAIN: 'on', WORKERS: '1', ...environment },
  })
  started.push(platform)
  return platform
}

async function chainReady(platform: StartedPlatform): Promise<void> {
  const from = performance.now()
  while (!platform.output().includes('local chain: ready')) {
    if (platform.launcher.exitCode !== null || performance.now() - from > chainWithinMs)
      throw new Error(
        `${platform.output()}\n${readFileSync(path.join(folder.path, 'logs/chain.log'), 'utf8')}`,
      )
    await sleep(20)
  }
}

async function rpc(url: string | undefined, method: string, params: unknown[] = []): Promise<unknown> {
  const answer = await fetch(String(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: unknown }).result
}

const components = async ({ base_url: url }: DevJson) => {
  const { data, error } = (await (await fetch(`${url}/v1/ready`)).json()) as {
    data: { components: Record<string, { status: string }> } | null
    error: { details: { components: Record<string, { status: string }> } } | null
  }
  return (data ?? error?.details)?.components ?? {}
}

async function faucet({ base_url: url }: DevJson, chain: string): Promise<void> {
  const answer = await fetch(`${url}/dev/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount_wei: '5000', chain }),
  })
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ])
}

const below = (platform: StartedPlatform) => descendants(platform.launcher.pid ?? 0)
const find = (platform: StartedPlatform, kind: RegExp) =>
  below(platform).filter(({ command }) => kind.test(command) && !command.startsWith('/bin/sh'))

/** The processes that `dev.json` lists now. */
const processes = () =>
  (
    JSON.parse(readFileSync(path.join(folder.path, 'dev.json'), 'utf8')) as {
      processes: { role: string; pid: number }[]
    }
  ).processes
const listed = () =>
  processes()
    .map(({ role }) => role)
    .sort()

let balance: unknown
/** Both chains come up, twice in the longest test, on however busy a machine. */
const timeout = 90_000

test('signatures are served while the chain comes up; then both chains, their bundlers and the faucet work', {
  timeout,
}, async () => {
  const platform = await start()
  const file = await platform.ready()
  expect((await components(file))['chain']?.status).toBe('starting')
  expect(file.chain).toMatchObject({ handle: 'local', chain_id: 31337 })
  expect(file.chains).toEqual(
    [
      ['local', 31337],
      ['local-2', 31338],
    ].map(([handle, chain_id]) => ({
      handle,
      chain_id,
      rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })),
  )
  await chainReady(platform)
  expect((await components(file))['chain']?.status).toBe('up')
  expect((await fetch(`${file.base_url}/v1/ready`)).status).toBe(200)
  const alive = new Set(below(platform).map(({ pid }) => pid))
  await until(() => listed().join() === 'api,bundler,bundler,chain,database,enclave')
  expect(processes().filter(({ pid }) => !alive.has(pid))).toEqual([])
  expect(await rpc(file.chain?.bundler_url, 'eth_chainId')).toBe('0x7a69')
  expect(await rpc(file.chain?.rpc_url, 'eth_chainId')).toBe('0x7a69')

  await Promise.all([faucet(file, 'local'), faucet(file, 'local-2')])
  balance = await rpc(file.chain?.rpc_url, 'eth_getBalance', [address, 'latest'])

  const answer = await fetch(`${file.base_url}/v1/chains`, {
    headers: { 'x-service-publishable-key': file.organizations.tee.publishable_key },
  })
  const { data } = (await answer.json()) as {
    data: { items: { handle: string; rpc: boolean; bundler: boolean }[] }
  }
  expect(data.items.filter((chain) => chain.rpc && chain.bundler).map((chain) => chain.handle)).toEqual([
    'local',
    'local-2',
  ])

  const children = below(platform).map(({ pid }) => pid)
  expect(find(platform, /bin\/anvil/)).toHaveLength(2)
  expect(find(platform, /alto\.js/)).toHaveLength(2)
  const [main] = find(platform, /run\.ts start/)
  process.kill(Number(main?.pid), 'SIGKILL')
  await allGone(children)
})

test('after kill -9 of everything the chain is where it was, at the same address', { timeout }, async () => {
  const platform = await start()
  const file = await platform.ready()
  await chainReady(platform)
  expect(await rpc(file.chain?.rpc_url, 'eth_getBalance', [address, 'latest'])).toBe(balance)

  // Its process alone: the platform stays, the chain comes back.
  const [main] = find(platform, /programs\/chain\.js/)
  process.kill(Number(main?.pid), 'SIGKILL')
  await expect
    .poll(
      async () =>
        find(platform, /programs\/chain\.js/)[0]?.pid !== main?.pid &&
        (await components(file))['chain']?.status,
      { timeout: 20_000 },
    )
    .toBe('up')
  expect(await rpc(file.chain?.rpc_url, 'eth_getBalance', [address, 'latest'])).toBe(balance)
  expect(find(platform, /bin\/anvil/)).toHaveLength(2)

  const children = below(platform).map(({ pid }) => pid)
  platform.launcher.kill('SIGINT')
  expect(await platform.ended()).toBe(0)
  await allGone(children)
})

test('a developer’s own node takes the place of a local one', async () => {
  const platform = await start({
    SYMBOLON_RPC__LOCAL: 'http://127.0.0.1:1',
    SYMBOLON_RPC__LOCAL_2: 'http://127.0.0.1:1',
  })
  const file = await platform.ready()
  expect(file.chain).toBeUndefined()
  expect(find(platform, /anvil|alto/)).toEqual([])
})
