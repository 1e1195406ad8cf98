import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@symbolon/dev/testing/postgres'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import { until } from '@symbolon/testing/wait'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '../..')
/** What npm runs, without npm's own second. */
const exampleCommand = packageFile.scripts['example:x402'].split(' ').slice(1)

test('the demo logs in, signs on both curves, sends a transaction and a sponsored operation, lets agents pay within exact limits, all of it verified independently', {
  timeout: 120_000,
}, async () => {
  const { output, code } = await runOwnDemo()
  expect(output).toContain('All signatures verified by independent libraries.')
  expect(output.match(/by (viem|OpenSSL)/g)).toHaveLength(5)
  expect(output).toMatch(/mined in block \d+/)
  expect(output).toMatch(/EUR \d+\.\d{6} sponsored/)
  expect(output).toContain("per_tx_cap_exceeded: session's max_spend_per_tx_native")
  expect(output).toMatch(/\d+ of 12 answered; asked again: [0-9.]+ ETH signed, held [0-9.]+, cap 0\.20042\n/)
  expect(output).toContain('Payer paid 0.01 ETH')
  expect(output).toMatch(/0\.25\d+ of 0\.26 ETH, then total_cap_exceeded/)
  // The pages of a platform that ends with the demo are nowhere to look at.
  expect(output).not.toContain('in the portal')
  expect(output).not.toMatch(/sk_live_|pk_live_|as_live_/)
  expect(code).toBe(0)
})

describe('against a running platform', () => {
  const folder = dataFolder()
  let platform: StartedPlatform
  let file: DevJson

  beforeAll(async () => {
    platform = await startedPlatform({
      dataFolder: folder.path,
      environment: { SYMBOLON_CHAIN: 'on', WORKERS: '1' },
    })
    file = await platform.ready()
  })
  afterAll(async () => {
    platform?.launcher.kill('SIGTERM')
    await platform?.ended()
    folder.remove()
  })

  test('the demo does the same and kills nothing, and the example of x402 opens a seller that is paid once by the calls it prints', {
    timeout: 120_000,
  }, async () => {
    const { output, code } = await runDemo([], folder.path, file.base_url)
    expect(output).toContain(`running at ${file.base_url}`)
    expect(output).toContain('the demo kills only a platform that it started')
    expect(output).toContain('7 attempts, refused: total_cap_exceeded')
    const [, slug, session] = /\/portal\/o\/([\w-]+)\/agent-sessions\/([\w-]+)\)/.exec(output) ?? []
    const owner = await asOwner(file)
    const organization = await owner<{ slug: string }>(`/v1/orgs/${file.organizations.tee.id}`)
    expect(organization.slug).toBe(slug)
    const path = `/v1/orgs/${file.organizations.tee.id}/agent-sessions/${session}/events`
    expect(await owner(path)).toMatchObject({ total: 7 })
    expect(code).toBe(0)
    await payOnce(folder.path)
  })

  test('the demo of the networks signs a transaction of each of the eight, verified by the library of each', {
    timeout: 90_000,
  }, async () => {
    const { output, code } = await runDemo(['--networks'], folder.path, file.base_url)
    expect(output).toContain('All signatures verified by independent libraries.')
    expect(output.match(/create a TEE wallet \((secp256k1|ed25519)\)/g)).toHaveLength(2)
    const titles = [
      ['base', 'Transfer token', 'viem'],
      ['bitcoin', 'Send 0.0015 BTC', 'bitcoinjs-lib'],
      ['tron', 'Send 25 TRX', 'tronweb'],
      ['cosmoshub', 'Send 1.5 ATOM', 'cosmjs'],
      ['solana', 'Send 1.5 SOL', '@solana/kit'],
      ['near', 'Send 1.5 NEAR', 'near-js'],
      ['aptos', 'Send 1.5 APT', '@aptos-labs/ts-sdk'],
      ['stellar', 'Send 1.5 XLM', '@stellar/stellar-base'],
    ]
    for (const [chain, title, library] of titles) {
      const lines = `transaction of ${chain} .*${title}\\n +\\w{40,}\\n +verified by ${library}\\n`
      expect(output).toMatch(new RegExp(lines))
    }
    expect(output).not.toContain('Warning')
    expect(output).not.toMatch(/sk_live_|pk_live_|as_live_/)
    expect(code).toBe(0)
  })
})

test('without a platform, or for what is no address, the example of x402 says so in one sentence', async () => {
  const folder = dataFolder()
  const said = async (...args: string[]) => {
    const example = runExample(folder.path, args)
    const [code] = await once(example.child, 'exit')
    return [code, example.output()]
  }
  expect(await said()).toEqual([
    1,
    `No platform runs in ${folder.path}: run npm start in another terminal, then this again. SYMBOLON_DATA_DIR names another folder.\n`,
  ])
  expect(await said('0x12')).toEqual([1, '0x12 is not an address: npm run example:x402 -- 0x…\n'])
  folder.remove()
})

/** Opens the seller on the platform of a data folder, pays it as its output and the guide say, and ends it as Ctrl-C does. */
async function payOnce(folder: string): Promise<void> {
  const example = runExample(folder)
  try {
    await until(() => example.output().includes('Orders that were paid for'))
    const [block = ''] = /^ {2}export URL=[\s\S]*?(?=\n\n)/m.exec(example.output()) ?? []
    expect(example.output()).toContain('\n  node_modules/.bin/node buyer.ts\n')
    const guide = await readFile(path.join(root, 'docs/guides/clients.md'), 'utf8')
    const [buyer = ''] = /(?<=```ts\n)\/\/ buyer\.ts\n[\s\S]*?(?=\n```)/.exec(guide) ?? []
    const program = `${block}\nexec node_modules/.bin/node --input-type=module-typescript -`
    const buying = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', program], {
      cwd: root,
      env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` },
      timeout: 30_000,
    })
    buying.child.stdin?.end(buyer)
    expect((await buying).stdout).toBe('200 {"filled":{"item":"report"}}\n')
    expect(example.output()).toMatch(/\n0\.25 TUSD from 0x\w{40} for {"item":"report"}\n$/)
  } finally {
    example.child.kill('SIGINT')
  }
  const [code] = await once(example.child, 'exit')
  expect(code).toBe(0)
  expect(example.output()).not.toMatch(/sk_live_|as_live_/)
}

/** Runs `npm run example:x402` on a data folder. */
function runExample(folder: string, args: string[] = []): { child: ChildProcess; output(): string } {
  const child = spawn(process.execPath, [...exampleCommand, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], SYMBOLON_DATA_DIR: folder },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return { child, output: () => output }
}

/** Reads as the owner of the development organizations does, in the portal. */
async function asOwner(file: DevJson): Promise<<data>(at: string) => Promise<data>> {
  const login = await fetch(`${file.base_url}/dev/portal-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(file.portal),
  })
  const cookie = String(login.headers.get('set-cookie')?.split(';')[0])
  return async (at) => (await (await fetch(`${file.base_url}${at}`, { headers: { cookie } })).json()).data
}

/** Runs the demo with a platform of its own. */
async function runOwnDemo(): ReturnType<typeof runDemo> {
  const folder = dataFolder()
  try {
    return await runDemo([], folder.path, `http://127.0.0.1:${await freePort()}`)
  } finally {
    folder.remove()
  }
}

/** Runs the demo on a data folder, with the platform that runs there or else at `url`; answers all it has printed and its exit code. */
async function runDemo(
  args: string[],
  folder: string,
  url: string,
): Promise<{ output: string; code: number | null }> {
  const demo = spawn(process.execPath, ['scripts/node.mjs', 'scripts/run.ts', 'demo', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], SYMBOLON_DATA_DIR: folder, PORT: new URL(url).port, WORKERS: '1' },
  })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(demo, 'exit')) as [number | null]
  return { output, code }
}
