import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { AgentHook } from '@symbolon/api'
import type { DevChain } from '@symbolon/dev/testing/chain'
import { type A2aFixture, a2aFixture, anyAddress } from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { ownChain } from '@symbolon/testing/chain'
import { type Hex, parseEther, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
let chain: DevChain
let fixture: A2aFixture

beforeAll(async () => {
  chain = await ownChain({ withBundler: false })
  const chains = [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }]
  fixture = await a2aFixture({ chains })
})
afterAll(async () => {
  await fixture?.app.stop()
  await chain?.stop()
})

/** The TypeScript sample of a guide that begins with the comment `// <name>`. */
function sampleOf(guide: string, name: string): string {
  const text = readFileSync(path.join(root, 'docs/guides', guide), 'utf8')
  const start = text.indexOf(`\`\`\`ts\n// ${name}\n`)
  if (start < 0) throw new Error(`${guide} has no sample ${name}.`)
  return text.slice(start + '```ts\n'.length, text.indexOf('\n```\n', start))
}

/** Runs a sample as a program of its own, in the environment that its guide exports; resolves with the lines that it prints. */
async function linesOf(guide: string, name: string, env: Record<string, string>): Promise<string[]> {
  const running = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    timeout: 60_000,
  })
  running.child.stdin?.end(sampleOf(guide, name))
  return (await running).stdout.trimEnd().split('\n')
}

test('the first signature of a backend comes as the README prints it', async () => {
  const { app, tenant } = fixture
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const [block = ''] = /(?<=```sh\n)URL=[\s\S]*?(?=\n```)/.exec(readme) ?? []
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-readme-'))
  mkdirSync(path.join(folder, '.symbolon'))
  const file = { organizations: { tee: { secret_key: tenant.sk } } }
  writeFileSync(path.join(folder, '.symbolon/dev.json'), JSON.stringify(file))
  const program = block.replace('http://127.0.0.1:8080', app.url)
  // Again with the wallet that is there by then.
  for (const _ of [1, 2]) {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', program], { cwd: folder })
    const { data } = JSON.parse(stdout) as { data: { address: Hex; signature: Hex } }
    expect(await recoverMessageAddress({ message: 'Hello', signature: data.signature })).toBe(data.address)
  }
  rmSync(folder, { recursive: true })
})

test('pay.ts pays one invoice, is refused a second one, and ends its session', async () => {
  const { app, tenant, walletId } = fixture
  const wallet = await app.call<{ address: Hex }>('GET', `/v1/s2s/wallets/${walletId}`, { sk: tenant.sk })
  await chain.fund(wallet.data.address, parseEther('1'))
  const env = { URL: app.url, SK: tenant.sk, WALLET: walletId, VENDOR: anyAddress() }
  expect(await linesOf('agents.md', 'pay.ts', env)).toEqual([
    expect.stringMatching(/^0x[0-9a-f]{64}$/),
    'policy_violation total_cap_exceeded',
    'revoked',
  ])
})

test('tools.ts lists the tools of an agent over MCP and calls one', async () => {
  const { app, agent, session } = fixture
  const lines = await linesOf('agents.md', 'tools.ts', {
    URL: app.url,
    AGENT: agent.id,
    TOKEN: session.token,
  })
  expect(lines.join('\n')).toMatch(/'get_balance'[\s\S]*'sign_message'/)
  expect(lines.join('\n')).toMatch(/chain: 'local'/)
})

test.each(['standard', 'stripe', 'github'])(
  'deliver.ts signs a delivery to a hook of style %s, and the same delivery again starts no second run',
  async (style) => {
    const { app, owner, tenant, agent } = fixture
    const hooks = `/v1/orgs/${tenant.id}/agents/${agent.id}/hooks`
    const hook = await callAs<AgentHook & { secret: string }>(app, owner, [
      'POST',
      hooks,
      { name: style, style, objective_template: 'say thanks' },
    ])
    const HOOK_URL = app.url + new URL(hook.data.url).pathname
    const env = { HOOK_URL, HOOK_SECRET: hook.data.secret, STYLE: style }
    const [first] = await linesOf('agents.md', 'deliver.ts', env)
    expect(first).toMatch(/^202 .*"run_id"/)
    const [again] = await linesOf('agents.md', 'deliver.ts', env)
    expect(again).toMatch(/^200 /)
    const runOf = (line = '') => JSON.parse(line.slice(4)).data.run_id
    expect(runOf(again)).toBe(runOf(first))
  },
)

test('the sample of the audit guide imports functions that the SDK exports', async () => {
  const sdk: Record<string, unknown> = await import('@symbolon/sdk/verify')
  const text = readFileSync(path.join(root, 'docs/guides/audit.md'), 'utf8')
  const [, names = ''] = /import \{ ([^}]+) \} from '@symbolon\/sdk\/verify'/.exec(text) ?? []
  expect(names.split(', ')).toHaveLength(3)
  for (const name of names.split(', ')) expect([name, typeof sdk[name]]).toEqual([name, 'function'])
})
