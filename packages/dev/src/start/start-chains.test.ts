import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '@symbolon/testing/wait'
import { expect, test } from 'vitest'
import { freePort } from '../postgres/free-port.ts'
import { logFile } from './log-file.ts'
import { startChains } from './start-chains.ts'

test('a chain that cannot have its port says so in the terminal, not only in its log', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-chains-'))
  const [rpcPort, bundlerPort, paymasterPort] = [await freePort(), await freePort(), await freePort()]
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(paymasterPort, '127.0.0.1', resolve))
  const reports: string[] = []
  const log = logFile(folder, 'chain')
  const chains = startChains({
    chains: [{ handle: 'local', rpcPort, bundlerPort, paymasterPort }],
    folder,
    environment: {},
    baseUrl: 'http://127.0.0.1:9',
    log,
    report: (line) => reports.push(line),
  })
  try {
    await until(() => reports.length > 0)
    expect(reports[0]).toBe(
      `local chain: stopped (exit 1, Error: listen EADDRINUSE: address already in use 127.0.0.1:${paymasterPort}), restarting it; see ${log.path}`,
    )
  } finally {
    await chains.stop()
    other.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
