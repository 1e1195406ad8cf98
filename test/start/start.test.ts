import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { newBrowser } from '@symbolon/testing/http'
import {
  allGone,
  type DevJson,
  dataFolder,
  descendants,
  type StartedPlatform,
  startedPlatform,
} from '@symbolon/testing/platform'
import { until } from '@symbolon/testing/wait'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const servingWithinMs = 20_000
const folder = dataFolder()
const started: StartedPlatform[] = []

/** Ends what was started; the tests of a start share it, since each takes 10 s of CPU. */
async function stopAll(): Promise<void> {
  for (const { launcher, ended } of started.splice(0)) {
    launcher.kill('SIGTERM')
    await ended()
  }
}

afterAll(async () => {
  await stopAll()
  folder.remove()
})

async function start(options: Partial<Parameters<typeof startedPlatform>[0]> = {}): Promise<StartedPlatform> {
  const platform = await startedPlatform({ dataFolder: folder.path, ...options })
  started.push(platform)
  return platform
}

const isServing = (url: string) =>
  fetch(`${url}/v1/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

const listWallets = (
  { base_url: url, organizations }: DevJson,
  key: 'secret_key' | 'read_key' = 'secret_key',
) => fetch(`${url}/v1/s2s/wallets`, { headers: { authorization: `Bearer ${organizations.tee[key]}` } })

const below = (platform: StartedPlatform) => descendants(platform.launcher.pid ?? 0)
/** The first process of a kind; undefined while there is none. */
const find = (platform: StartedPlatform, kind: RegExp) =>
  below(platform).find(({ command }) => kind.test(command) && !command.startsWith('/bin/sh'))?.pid

/** The restarts of the enclave by the metrics; every number that is there counts. */
async function enclaveRestarts({ metrics_url: url }: DevJson): Promise<number> {
  const text = await (await fetch(url)).text()
  const found = text.match(/(?<=^symbolon_enclave_restarts_total\S* )\d+$/gm) ?? ['Infinity']
  return found.reduce((sum, value) => sum + Number(value), 0)
}

/** Kills a process that has to be there. */
function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) throw new Error('no such process')
  process.kill(pid, signal)
}

let platform: StartedPlatform
let first: DevJson
let second: DevJson
let owner: string

/** Logs the owner in to the portal of what runs, and answers who that is. */
async function ownerOf({
  base_url: url,
  portal_url: portalUrl,
  portal,
  organizations,
}: DevJson): Promise<string> {
  expect(portalUrl).toBe(`${url}/portal`)
  expect(platform.output()).toContain(portalUrl)
  const browser = newBrowser()
  expect((await browser.login(url, portal.email)).location).toBe('/portal')
  const companies = JSON.parse((await browser.get(`${url}/v1/orgs`)).text).data.items
  expect(companies.map(({ id }: { id: string }) => id).sort()).toEqual(
    [organizations.client.id, organizations.tee.id].sort(),
  )
  return JSON.parse((await browser.get(`${url}/v1/auth/session`)).text).data.user.id
}

describe('the first start of a folder', () => {
  beforeAll(async () => {
    platform = await start()
  })
  afterAll(stopAll)

  test('it starts, says that its attestation is simulated, and its keys open the API', async () => {
    // Whoever sees it ready reads its keys.
    await until(() => isServing(`http://127.0.0.1:${platform.port}`), servingWithinMs)
    expect(existsSync(path.join(folder.path, 'dev.json'))).toBe(true)
    first = await platform.ready()
    expect(platform.output()).toContain('attestation: SIMULATED (development only)')
    // At most one word before the table, and that only where it takes long.
    expect(platform.output()).toMatch(/^(?:Starting: database, enclave, API …\n)?Symbolon is ready/)
    expect(platform.output()).toMatch(/^ {2}documentation: +http:.*\/docs$/m)
    expect((await listWallets(first)).status).toBe(200)
    expect((await listWallets(first, 'read_key')).status).toBe(200)
    expect(statSync(path.join(folder.path, 'dev.json')).mode & 0o777).toBe(0o600)
    expect((await fetch(`${first.base_url}/dev/mailbox`)).status).toBe(200)
    const home = await fetch(first.base_url, { redirect: 'manual' })
    expect([home.status, home.headers.get('location')]).toEqual([302, '/portal'])
  })

  test('without a local chain nothing of it runs, and nothing waits for it', async () => {
    expect([first.chain, first.chains]).toEqual([undefined, []])
    const ready = await fetch(`${first.base_url}/v1/ready`)
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { data: { components: { chain: { status: 'off' } } } },
    ])
    expect(below(platform).filter(({ command }) => /anvil|alto/.test(command))).toEqual([])
  })

  test('the owner of the demo organizations logs in to the portal', async () => {
    owner = await ownerOf(first)
  })
})

describe('the next start', () => {
  beforeAll(async () => {
    platform = await start()
    second = await platform.ready()
  })

  test('keeps the organizations and their keys', () => {
    expect(second.organizations).toEqual(first.organizations)
  })

  test('has another port, where the owner is still the same', async () => {
    expect(second.base_url).not.toBe(first.base_url)
    expect(await ownerOf(second)).toBe(owner)
  })

  test('metrics are served on a port of their own, and no name but those of this machine reaches the mailbox', async () => {
    const { base_url: url, metrics_url: metricsUrl, frame_url: frameUrl } = second
    // The port of the frame is the former start's: device shares are kept under it.
    expect(frameUrl).toBe(first.frame_url)
    expect(await (await fetch(`${url}/v1/frame`)).json()).toEqual({ data: { url: frameUrl }, error: null })
    for (const [at, status] of [
      [`${frameUrl}/frame`, 200],
      [`${frameUrl}/dev/mailbox`, 404],
      [`${frameUrl}/v1/health`, 404],
      [`${url}/frame`, 404],
    ] as const)
      expect([at, (await fetch(at)).status]).toEqual([at, status])
    const metrics = await fetch(metricsUrl)
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('# TYPE symbolon_untrusted_forwarded_total counter'),
    ])
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect((await fetch(`${new URL(metricsUrl).origin}/v1/health`)).status).toBe(404)
    for (const [host, status] of [
      ['evil.test', 403],
      [`localhost:${platform.port}`, 200],
    ] as const)
      expect(await statusFor(`${url}/dev/mailbox/messages`, host)).toBe(status)
    const apis = below(platform).filter(({ command }) => /api(?:-main)?\.(?:js|ts)/.test(command))
    expect(apis.length).toBeGreaterThanOrEqual(2)
    // A signal opens no debugger in them.
    for (const { command } of apis) expect(command).toContain('--disable-sigusr1')
  })

  test('a second start on the same folder names the process that has it, one on the same port says so', async () => {
    const onFolder = await start()
    expect(await onFolder.ended()).toBe(1)
    expect(onFolder.output()).toContain(`process ${find(platform, /run\.ts start/)}`)

    const other = dataFolder()
    const onPort = await start({ dataFolder: other.path, port: platform.port })
    expect(await onPort.ended()).toBe(1)
    expect(onPort.output()).toContain(`Port ${platform.port} is in use`)
    other.remove()
    expect(await isServing(`http://127.0.0.1:${platform.port}`)).toBe(true)
  })

  test('a stuck enclave comes back by itself', async () => {
    const enclave = /dist\/programs\/enclave-simulated\.js/
    const stopped = find(platform, enclave)
    kill(stopped, 'SIGSTOP')
    await until(() => ![stopped, undefined].includes(find(platform, enclave)), 60_000)
    await until(() => isServing(second.base_url), servingWithinMs)
    await until(async () => (await enclaveRestarts(second)) === 1, servingWithinMs)
    await until(() => platform.output().includes('enclave-simulated: enclave died stuck'))
  }, 120_000)

  test('each part that is killed comes back by itself', async () => {
    const restarts = await enclaveRestarts(second)
    const killAndWait = async (part: RegExp) => {
      const killed = find(platform, part)
      kill(killed, 'SIGKILL')
      await until(
        async () => ![killed, undefined].includes(find(platform, part)) && (await isServing(second.base_url)),
        servingWithinMs,
      )
    }
    // The enclave first: a host that is new itself counts only the boots that it has met.
    await killAndWait(/dist\/programs\/enclave-simulated\.js/)
    await until(async () => (await enclaveRestarts(second)) === restarts + 1, servingWithinMs)
    await killAndWait(/dist\/programs\/api\.js/)
    await killAndWait(/bin\/postgres -D/)
    expect((await listWallets(second)).status).toBe(200)
  })

  test('Ctrl-C stops it with all its children, and exits cleanly', async () => {
    const children = below(platform).map(({ pid }) => pid)
    expect(children.length).toBeGreaterThan(5)
    // The terminal signals both the launcher and the process.
    kill(find(platform, /run\.ts start/), 'SIGINT')
    platform.launcher.kill('SIGINT')
    expect(await platform.ended()).toBe(0)
    expect(platform.output()).toMatch(/\nStopped\.\n$/)
    await allGone(children)
  })
})

/** The status for a request whose `Host` is another than where it goes. */
const statusFor = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    get(url, { headers: { host } }, ({ statusCode }) => resolve(statusCode)).on('error', reject),
  )

test('kill -9 of the start leaves no child behind, and the next start finds everything again', async () => {
  await stopAll()
  platform = await start()
  await platform.ready()
  const children = below(platform).map(({ pid }) => pid)
  kill(find(platform, /run\.ts start/), 'SIGKILL')
  await platform.ended()
  await allGone(children)
  platform = await start()
  expect((await platform.ready()).organizations).toEqual(first.organizations)
})

test('kill -9 of the launcher stops everything', async () => {
  const children = below(platform).map(({ pid }) => pid)
  platform.launcher.kill('SIGKILL')
  await allGone(children)
})

test('a wrong setting refuses the start by its name', async () => {
  const onHost = await start({ environment: { HOST: '0.0.0.0' } })
  expect(await onHost.ended()).toBe(78)
  expect(onHost.output()).toMatch(/^HOST is 0\.0\.0\.0: [^\n]*BASE_URL[^\n]*\n$/)
  const onMany = await start({ environment: { LOG_LEVEL: 'loud', SYMBOLON_CHAIN: 'maybe' } })
  expect(await onMany.ended()).toBe(78)
  expect(onMany.output()).toMatch(/^SYMBOLON_CHAIN is maybe[^\n]*\nLOG_LEVEL must be [^\n]*\n$/)
  for (const wrong of ['/proc/nope', '/dev/null/x']) {
    const onFolder = await start({ dataFolder: wrong })
    expect(await onFolder.ended()).toBe(78)
    expect(onFolder.output()).toMatch(/^SYMBOLON_DATA_DIR is .*: it must be [^\n]*\n$/)
  }
  const onMetrics = await start({ environment: { METRICS_HOST: '203.0.113.9' } })
  expect(await onMetrics.ended()).toBe(1)
  expect(onMetrics.output()).toMatch(
    /^(?:Starting[^\n]*\n)?METRICS_HOST and METRICS_PORT cannot be listened on [^\n]*\n$/,
  )
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port: taken } = other.address() as AddressInfo
  const onTaken = await start({ environment: { METRICS_PORT: String(taken) } })
  expect(await onTaken.ended()).toBe(1)
  other.close()
  expect(onTaken.output()).toMatch(/^METRICS_PORT names port \d+, which is in use[^\n]*\n$/)
  const onDatabase = await start({ environment: { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' } })
  expect(await onDatabase.ended()).toBe(1)
  expect(onDatabase.output()).toContain('DATABASE_URL: postgres://u:***@127.0.0.1:1/x')
  expect(onDatabase.output()).not.toContain('hidden')
})

test('a folder with a very long name works', async () => {
  const long = path.join(folder.path, 'x'.repeat(120))
  const platform = await start({ dataFolder: long })
  expect(await isServing((await platform.ready()).base_url)).toBe(true)
})
