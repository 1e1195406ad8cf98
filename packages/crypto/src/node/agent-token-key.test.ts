import { hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentTokenKey } from './agent-token-key.ts'

test('a token key is the HKDF-SHA256 of the token without salt, as node:crypto makes it', () => {
  const tokens = [`as_live_${'x'.repeat(49)}`, `as_live_${'y'.repeat(49)}`, 'x', 'x'.repeat(300)]
  for (const token of tokens) {
    const expected = hkdfSync('sha256', token, new Uint8Array(0), 'symbolon agent token key v1', 32)
    expect(agentTokenKey(token)).toEqual(new Uint8Array(expected))
  }
})
