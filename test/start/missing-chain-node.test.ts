import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { dataFolder, startedPlatform } from '@symbolon/testing/platform'
import { expect, onTestFinished, test } from 'vitest'

test('a system that npm has no chain node for gets one line about it, and the platform without a chain', async () => {
  const folder = dataFolder()
  const preload = path.join(folder.path, 'no-anvil.mjs')
  writeFileSync(
    preload,
    `import Module from 'node:module'
     const { _resolveFilename: resolve } = Module
     Module._resolveFilename = (request, ...rest) => {
       if (request.startsWith('@foundry-rs/anvil-')) throw new Error('not installed')
       return resolve(request, ...rest)
     }`,
  )
  const platform = await startedPlatform({
    dataFolder: folder.path,
    environment: {
      SYMBOLON_CHAIN: 'on',
      WORKERS: '1',
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
    },
  })
  onTestFinished(async () => {
    platform.launcher.kill('SIGTERM')
    await platform.ended()
    folder.remove()
  })
  const { base_url: url, chain } = await platform.ready()
  expect(chain).toBeUndefined()
  expect(platform.output().match(/^local chain: .+$/gm)).toEqual([
    expect.stringMatching(
      /^local chain: off, because @foundry-rs\/anvil-\S+ is not installed \(npm does not offer it for every system\); everything else works$/,
    ),
  ])
  expect((await fetch(`${url}/v1/ready`)).status).toBe(200)
})
