import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../packages/dev/src/postgres/free-port.ts'
import { dataFolder } from './started-platform.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('the demo logs in, signs on both curves, sends a transaction and a sponsored operation, all of it verified independently', {
  timeout: 90_000,
}, async () => {
  const folder = dataFolder()
  const demo = spawn(process.execPath, ['scripts/node.mjs', 'packages/dev/src/demo/demo.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      SYMBOLON_DATA_DIR: folder.path,
      PORT: String(await freePort()),
      WORKERS: '1',
    },
  })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(demo, 'exit')
  folder.remove()
  expect(output).toContain('All signatures verified by independent libraries.')
  expect(output.match(/by (viem|OpenSSL)/g)).toHaveLength(4)
  expect(output).toMatch(/mined in block \d+/)
  expect(output).toMatch(/EUR \d+\.\d{6} sponsored/)
  expect(output).not.toMatch(/sk_live_|pk_live_/)
  expect(code).toBe(0)
})
