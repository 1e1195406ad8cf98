import { readFileSync } from 'node:fs'
import { attestationFindingCodes } from '@symbolon/crypto/attestation'
import { frameFindingCodes } from '@symbolon/sdk/verify'
import { expect, test } from 'vitest'

const guide = readFileSync(new URL('../../docs/guides/verify.md', import.meta.url), 'utf8')

test('the guide explains every finding of the verifier, and no other', () => {
  const table = guide.slice(guide.indexOf('| Finding |'), guide.indexOf('`--json` prints'))
  const explained = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code)
  expect(explained.sort()).toEqual([...attestationFindingCodes, ...frameFindingCodes].sort())
})
