import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bundlerProcess } from './bundler-process.ts'
import { jsonRpc } from './json-rpc.ts'

test('a bundler that cannot be started is reported as one that died, and tried again', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-bundler-'))
  const lines: string[] = []
  const bundler = bundlerProcess({
    // More than Linux takes as one argument: `spawn` throws.
    rpcUrl: `http://127.0.0.1:1/${'x'.repeat(1_000_000)}`,
    port: 1,
    rpc: jsonRpc('http://127.0.0.1:1'),
    paymaster: '0x',
    folder: folder.path,
    cacheFolder: folder.path,
    log: (line) => lines.push(line),
  })
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  await bundler.stop()
  expect(new Set(lines)).toEqual(new Set(['the bundler stopped (spawn E2BIG), restarting it']))
})

test('of what the bundler reports and traces with, an install has each package once and of Sentry the core', () => {
  const lock = readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { readonly name?: string }>> }
  const named = (name: string) => Object.keys(packages).filter((at) => at.endsWith(`node_modules/${name}`))
  for (const name of ['core', 'resources', 'sdk-trace-base', 'semantic-conventions'])
    expect(named(`@opentelemetry/${name}`)).toEqual([`node_modules/@opentelemetry/${name}`])
  expect(named('@sentry/node')).toEqual(['node_modules/@sentry/node'])
  expect(packages['node_modules/@sentry/node']?.name).toBe('@sentry/core')
})
