import { expect, test } from 'vitest'
import { forward } from './forward.ts'

/** What a read says whose node answers with this message. */
async function said(message: unknown): Promise<unknown> {
  const send = async () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: 3, message, data: '0x00' } })
  const read = forward({ local: 'http://127.0.0.1:8545' }, send).call('local', 'eth_call', [])
  const error = await read.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 3, data: '0x00' })
  return (error as Error).message
}

test.each([
  ['execution reverted: not enough funds', 'execution reverted: not enough funds'],
  ['execution reverted: Grüße 🚀\nfrom here', 'execution reverted: Grüße 🚀\nfrom here'],
  [`execution reverted: ${'\0'.repeat(128)}`, 'execution reverted'],
  ['execution reverted: \ufffd\ufffd\u0001x', 'execution reverted'],
  ['execution reverted: a\0b', 'execution reverted'],
  ['\0\0', 'The node refused the call.'],
  [5, 'The node refused the call.'],
])('a node that says %j is quoted as far as that is text', async (message, words) => {
  expect(await said(message)).toBe(words)
})
