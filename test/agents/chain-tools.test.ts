import { randomBytes } from 'node:crypto'
import { type A2aFixture, a2aFixture, eventsIn } from '@symbolon/testing/agents'
import { sharedChain } from '@symbolon/testing/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture
let chain: Awaited<ReturnType<typeof sharedChain>>

beforeAll(async () => {
  chain = await sharedChain()
  fixture = await a2aFixture({ chains: [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }] })
})
afterAll(() => fixture?.app.stop())

async function statusOf(tx_hash: string): Promise<unknown> {
  const response = await fetch(`${fixture.at}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.session.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_transaction', arguments: { chain: 'local', tx_hash } },
    }),
  })
  const [answer] = eventsIn(await response.text()) as {
    result: { structuredContent: { status: string } }
  }[]
  return answer?.result.structuredContent.status
}

const wallet = `0x${'ab'.repeat(20)}` as const

test('a transaction that no node knows is not called pending', async () => {
  expect(await statusOf(`0x${randomBytes(32).toString('hex')}`)).toBe('unknown')
  expect(await statusOf(await chain.fund(wallet, 1n))).toBe('confirmed')
})
