import type { SignResponse } from '@symbolon/api'
import { mintSession, signAs } from '@symbolon/testing/agents'
import { login, makeTenant, makeWallet, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  const tenant = await makeTenant(app)
  const wallet = await makeWallet(app, await login(app, tenant), 'ed25519')
  const more = { allowed_chains: ['near', 'aptos', 'solana', 'stellar'] }
  token = (await mintSession(app, tenant, wallet.id, more)).token
})
afterAll(() => app?.stop())

const answerOf = async (request: Record<string, unknown>): Promise<SignResponse> => {
  const { status, text, data } = await signAs(app, token, request)
  expect(status, text).toBe(200)
  return data
}

test.each(['near', 'aptos', 'solana', 'stellar'])(
  'a dry run of a message for %s returns the bytes to sign, and everything that goes into them',
  async (chain) => {
    const request = { type: 'message', message: 'hello', chain }
    const { decision, preview, decoded_preview, ...dry } = await answerOf({ ...request, dry_run: true })
    expect(decision?.outcome).toBe('allowed')
    const { nonce, recipient } = dry
    const again = { ...request, ...(nonce && { nonce }), ...(recipient && { recipient }) }
    const { signature, encoding, signature_base58, ...signed } = await answerOf(again)
    expect(dry.signed_payload).toMatch(/^0x([0-9a-f]{2})+$/)
    expect({ ...dry, preview, decoded_preview }).toEqual(signed)
  },
)

test('a message that is refused because it is a transaction has a decision, and no bytes', async () => {
  // The bytes of a 32-byte hash: what Near and Stellar sign.
  const request = {
    type: 'message',
    message: `0x${'ab'.repeat(32)}`,
    encoding: 'hex',
    chain: 'solana',
    scheme: 'raw',
  }
  const { decision, signed_payload } = await answerOf({ ...request, dry_run: true })
  expect(decision).toMatchObject({ outcome: 'rejected', reason: 'message_is_transaction' })
  expect(signed_payload).toBeUndefined()
})
