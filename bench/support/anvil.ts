import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@symbolon/dev/testing/postgres'

/** A running anvil: the yardstick of signatures per second. */
export type Anvil = { port: number; pid: number; accounts: string[]; stop(): void }

const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as 'linux']
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64']

/** Starts the anvil binary that its npm package carries. */
export async function startAnvil(): Promise<Anvil> {
  const require = createRequire(new URL('../../packages/dev/package.json', import.meta.url))
  const manifest = require.resolve(`@foundry-rs/anvil-${platform}-${architecture}/package.json`)
  const port = await freePort()
  const child = spawn(
    path.join(path.dirname(manifest), 'bin', 'anvil'),
    ['--port', String(port), '--silent'],
    { stdio: 'ignore' },
  )
  for (let i = 0; i < 200; i++) {
    try {
      const accounts = (await rpc(port, 'eth_accounts')) as string[]
      return { port, pid: child.pid ?? 0, accounts, stop: () => child.kill('SIGKILL') }
    } catch {
      await sleep(50)
    }
  }
  child.kill('SIGKILL')
  throw new Error('anvil did not start')
}

async function rpc(port: number, method: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  })
  return ((await response.json()) as { result: unknown }).result
}
