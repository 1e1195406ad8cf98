import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentTokenKey } from './agent-token-key.ts'

test('a token key is HKDF-SHA256 of the token without salt, as RFC 5869 writes it', () => {
  const token = `as_live_${'x'.repeat(49)}`
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(token).digest()
  const expanded = createHmac('sha256', extracted).update('symbolon agent token key v1').update(Buffer.of(1))
  expect(Buffer.from(agentTokenKey(token))).toEqual(expanded.digest())
  expect(agentTokenKey(`${token.slice(0, -1)}y`)).not.toEqual(agentTokenKey(token))
})
