import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { assets } from '../../../../scripts/build.ts'
import type { DevFile } from './dev-file.ts'
import { readyTable } from './ready-table.ts'
import { assetOutputs, missingAssets } from './stale-assets.ts'

const organization = { id: 'o', publishable_key: 'pk', secret_key: 'sk', read_key: 'rk' }
const file = { organizations: { client: organization, tee: organization }, portal: { email: 'e' } }
const tableWith = (missing: readonly string[]) =>
  readyTable(file as Partial<DevFile> as DevFile, { devFile: 'dev.json', seconds: 1, missing })

test('the table names what is still being built, and nothing once all is there', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'symbolon-assets-'))
  expect(tableWith(missingAssets(root))).toContain(
    'still being built:   SDK, wallet frame, portal, demo, documentation: about a minute, until "assets: all are built"',
  )
  for (const output of Object.values(assetOutputs)) mkdirSync(path.join(root, output), { recursive: true })
  expect(tableWith(missingAssets(root))).not.toContain('being built')
  rmSync(root, { recursive: true })
})

test('what the table names is where the builders put it', async () => {
  const outputs = (await assets()).map(({ output }) => output)
  for (const output of Object.values(assetOutputs)) expect(outputs).toContain(output)
})
