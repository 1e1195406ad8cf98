import { ApiError, fail, type SignRequest } from '@symbolon/api'
import { expect, test } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '../../../ports/outbound.ts'
import type { ToolContext } from '../../agents/tools/agent-tool.ts'
import { payTool } from './pay.ts'

const wallet = `0x${'11'.repeat(20)}`
const offer = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '250',
  asset: `0x${'22'.repeat(20)}`,
  payTo: `0x${'33'.repeat(20)}`,
  maxTimeoutSeconds: 60,
  extra: { name: 'Dollar', version: '1' },
}
const policyRefuses = () => {
  throw new ApiError('policy_violation', { details: { reason: 'token_cap_exceeded' } })
}
const gateIsAway = () => {
  throw new ApiError('unavailable')
}
const gateSigns = () => `0x${'44'.repeat(65)}`

/** A call of the tool that can be made again; `gate` answers signatures that are asked for, `happened` is what it did, in order. */
function payment({ verdict, gate }: { verdict: 'allowed' | 'rejected'; gate: (() => string)[] }) {
  const happened: string[] = []
  const notes: unknown[] = []
  const outbound = async ({ headers = {} }: OutboundRequest): Promise<OutboundAnswer> => {
    if ('x-payment' in headers) {
      happened.push('shown')
      return { status: 200, headers: {}, body: Buffer.from('a page') }
    }
    const asked = { x402Version: 1, accepts: [offer] }
    return { status: 402, headers: {}, body: Buffer.from(JSON.stringify(asked)) }
  }
  const sign = async (request: SignRequest & { dry_run?: boolean }) => {
    if (request.type === 'message') return { address: wallet }
    if (request.dry_run === true) return { decision: { outcome: verdict } }
    happened.push('signed')
    return { signature: gate.shift()?.() }
  }
  const { run } = payTool({
    outbound,
    sign: sign as never,
    nowMs: async () => 1_800_000_000_000,
    isPassing: (error) => error instanceof ApiError && error.code === 'unavailable',
    refuse: ({ code }) => new Error(code),
  })
  const context = {
    session: { id: 's' },
    attemptKey: 'k',
    isRepeated: true,
    notes,
    async note(value: unknown) {
      // A database takes longer than a turn.
      await new Promise((resolve) => setTimeout(resolve, 5))
      happened.push('noted')
      notes.push(value)
    },
  } as unknown as ToolContext
  return { happened, notes, pay: () => run({ url: 'https://seller.example/page' }, context, fail) }
}

test('a payment is noted before it is signed, and signed again under its note', async () => {
  const { happened, notes, pay } = payment({ verdict: 'allowed', gate: [gateIsAway, gateSigns] })
  await expect(pay()).rejects.toMatchObject({ code: 'unavailable' })
  expect(await pay()).toMatchObject({ status: 200, payment: { amount: '250', from: wallet } })
  expect(happened).toEqual(['noted', 'signed', 'signed', 'shown'])
  expect(notes).toHaveLength(1)
})

test('what the policy refuses is told as its refusal, also where the gate was away at first: there is no payment', async () => {
  const { happened, pay } = payment({ verdict: 'rejected', gate: [gateIsAway, policyRefuses] })
  await expect(pay()).rejects.toMatchObject({ code: 'unavailable' })
  await expect(pay()).rejects.toMatchObject({ code: 'policy_violation' })
  expect(happened).toEqual(['signed', 'signed'])
})

test('what the policy allows after all is noted before the seller is shown it', async () => {
  const { happened, pay } = payment({ verdict: 'rejected', gate: [gateSigns] })
  expect(await pay()).toMatchObject({ status: 200, payment: { amount: '250' } })
  expect(happened).toEqual(['signed', 'noted', 'shown'])
})
