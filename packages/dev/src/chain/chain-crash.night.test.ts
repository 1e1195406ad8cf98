import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, inject, test } from 'vitest'
import { fund } from './fund.ts'
import { jsonRpc } from './json-rpc.ts'
import type { DevChain } from './start-dev-chain.ts'

const rounds = 30
/** Far more than the chain may be behind with saving, for a busy machine. */
const unsavedMs = 4_000
const holder = fileURLToPath(new URL('./testing/hold-chain.ts', import.meta.url))

test('killed at any moment, under load, the chain comes back whole with all that was there four seconds before', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-crash-'))
  const granted = new Map<Hex, number>()
  let expected: Hex[] = []
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(process.execPath, [holder, folder, inject('chainCacheFolder')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { rpcUrl } = JSON.parse(String(line)) as Pick<DevChain, 'rpcUrl'>
    const node = jsonRpc(rpcUrl)
    for (const address of expected) expect(await node.call('eth_getBalance', [address, 'latest'])).toBe('0x1')

    let isOver = false
    const load = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        await sleep(10)
        const to = privateKeyToAddress(generatePrivateKey())
        try {
          await fund(node, to, 1n)
          granted.set(to, performance.now())
        } catch {
          // The node is gone.
        }
      }
    })
    // At any moment between two saves.
    await sleep(4_500 + Math.random() * 1_000)
    const killedAt = performance.now()
    child.kill('SIGKILL')
    isOver = true
    await Promise.all(load)
    node.close()
    const fresh = [...granted].filter(([, at]) => at < killedAt - unsavedMs).map(([address]) => address)
    expected = [...expected, ...fresh]
    granted.clear()
    // The node outlives its holder for a moment.
    await sleep(300)
  }
  expect(readdirSync(path.join(folder)).filter((name) => name.endsWith('.unreadable'))).toEqual([])
  expect(expected.length).toBeGreaterThan(rounds)
  rmSync(folder, { recursive: true, force: true })
})
