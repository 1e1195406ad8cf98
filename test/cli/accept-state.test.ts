import { readFileSync } from 'node:fs'
import path from 'node:path'
import { anyAddress, mintBody, transferRequest } from '@symbolon/testing/agents'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

const folder = dataFolder()
const environment = { SYMBOLON_DATA_DIR: folder.path }
let platform: StartedPlatform
let file: DevJson
let walletId: string

beforeAll(async () => {
  platform = await startedPlatform({
    dataFolder: folder.path,
    environment: { STATE_ACCEPTANCE: 'operators', SYMBOLON_CHAIN: 'off' },
  })
  file = await platform.ready()
  walletId =
    (await call('/v1/s2s/wallets', { email: 'accept@example.test', curve: 'secp256k1' })).data['id'] ?? ''
})
afterAll(async () => {
  platform?.launcher.kill('SIGTERM')
  await platform?.ended()
  folder.remove()
})

type Answer = {
  status: number
  data: Record<string, string>
  error?: { code: string; details?: Record<string, string> }
}

async function call(
  route: string,
  json: object,
  bearer: string = file.organizations.tee.secret_key,
): Promise<Answer> {
  const response = await fetch(file.base_url + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) }
}

const mint = async () => {
  const { data } = await call('/v1/s2s/agent-sessions', mintBody(walletId))
  return data['token'] ?? ''
}
const sign = (token: string) => call('/v1/agents/me/sign', transferRequest(anyAddress(), 1n), token)

/** `kill -9` of the enclave, until another one serves. */
async function restartEnclave(): Promise<void> {
  type Processes = { processes: { role: string; pid: number }[] }
  const pidNow = () =>
    (JSON.parse(readFileSync(path.join(folder.path, 'dev.json'), 'utf8')) as Processes).processes.find(
      ({ role }) => role === 'enclave',
    )?.pid
  const before = pidNow()
  process.kill(before ?? 0, 'SIGKILL')
  await expect.poll(pidNow, { timeout: 10_000 }).not.toBe(before)
  await expect
    .poll(async () => (await fetch(`${file.base_url}/v1/ready`)).status, { timeout: 10_000 })
    .toBe(200)
}

test('after a restart of the enclave, sessions from before sign only once the operator has accepted its state', async () => {
  const token = await mint()
  expect((await sign(token)).status).toBe(200)
  // The first boot waits too: an enclave can't know that there was none before.
  await restartEnclave()
  const refused = await sign(token)
  expect([refused.status, refused.error]).toEqual([
    409,
    expect.objectContaining({ code: 'state_rolled_back', details: { what: 'boot' } }),
  ])
  expect((await sign(await mint())).status).toBe(200)

  const shown = await resultOf(['enclave', 'accept-state', '--show'], environment)
  expect(shown).toMatchObject({ accepted: false, waiting: true })
  expect((await sign(token)).status).toBe(409)
  const other = await runSymbolon(['enclave', 'accept-state', '--root', 'f'.repeat(64)], environment)
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('Nothing was accepted.')])
  expect((await sign(token)).status).toBe(409)
  const { root } = (shown as { snapshot: { root: string } }).snapshot
  const { code, stdout } = await runSymbolon(['enclave', 'accept-state', '--root', root], environment)
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(
    /^key ring {5}[\w-]{43}\nepoch {8}1\nmarks {8}number \d+, root [0-9a-f]{64}\n(audit log {4}[0-9a-f-]{36}: \d+ events, root [\w+/=]{44}\n)+Accepted until the enclave restarts\.\n$/,
  )
  expect((await sign(token)).status).toBe(200)
  expect(await resultOf(['enclave', 'accept-state'], environment)).toMatchObject({
    accepted: false,
    waiting: false,
    epoch: 1,
    snapshot: { number: expect.any(Number), root: expect.any(String) },
  })

  await restartEnclave()
  expect((await sign(token)).error?.details).toEqual({ what: 'boot' })
  expect(await resultOf(['enclave', 'accept-state'], environment)).toMatchObject({ accepted: true })
  expect((await sign(token)).status).toBe(200)
})

test('the metrics count what was refused, and name the newest marks', async () => {
  const { metrics_url: url } = JSON.parse(readFileSync(path.join(folder.path, 'dev.json'), 'utf8')) as {
    metrics_url: string
  }
  const metrics = async () => (await fetch(url)).text()
  // What was signed is stored every five seconds.
  await expect.poll(metrics, { timeout: 15_000 }).toContain('symbolon_enclave_marks_info{')
  const text = await metrics()
  expect(text).toMatch(/^symbolon_enclave_marks_info\{number="\d+",root="[0-9a-f]{64}",worker="\d+"\} 1$/m)
  expect(text).toMatch(/^symbolon_enclave_marks_number\{worker="\d+"\} [1-9]\d*$/m)
  const counted = [...text.matchAll(/^symbolon_enclave_state_rolled_back_total\{[^}]*\} (\d+)$/gm)]
  expect(counted.reduce((sum, [, value]) => sum + Number(value), 0)).toBeGreaterThanOrEqual(2)
})
