import type { SignResponse } from '@symbolon/api'
import { expect, test, vi } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '../../../ports/outbound.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import { agentSign, type SigningCtx, type ToolContext } from '../../agents/index.ts'
import { payTool } from './pay.ts'

vi.mock('../../agents/index.ts', { spy: true })

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
const policyRefuses = () => failure('policy_violation', { details: { reason: 'token_cap_exceeded' } })
const authorizerIsAway = () => failure('unavailable')
const authorizerSigns = () => ({ signature: `0x${'44'.repeat(65)}` }) as SignResponse

/** A call of the tool that can be made again; `answers` are those to requests for signatures, `happened` is what it did, in order. */
function payment({
  offers = [offer],
  verdict,
  answers,
}: {
  offers?: readonly (typeof offer)[]
  verdict: 'allowed' | 'rejected'
  answers: (() => SignResponse | Failure<'policy_violation' | 'unavailable'>)[]
}) {
  const happened: string[] = []
  const notes: unknown[] = []
  const dryRuns: string[] = []
  const outbound = async ({ headers = {} }: OutboundRequest): Promise<OutboundAnswer> => {
    if ('x-payment' in headers) {
      happened.push('shown')
      return { status: 200, headers: {}, body: Buffer.from('a page') }
    }
    const asked = { x402Version: 1, accepts: offers }
    return { status: 402, headers: {}, body: Buffer.from(JSON.stringify(asked)) }
  }
  vi.mocked(agentSign).mockImplementation(async (_, { body }) => {
    if (body.dry_run === true) dryRuns.push(`${body.type} on ${body.chain}`)
    if (body.type === 'message') return { address: wallet } as SignResponse
    if (body.dry_run === true) return { decision: { outcome: verdict } } as SignResponse
    happened.push('signed')
    return answers.shift()?.() ?? failure('unavailable')
  })
  const sql = async () => [{ nowMs: 1_800_000_000_000 }]
  const { run } = payTool({ outbound, signing: { sql } as unknown as SigningCtx })
  const context = {
    actor: { session: { id: 's' } },
    call: {
      key: 'k',
      isRepeated: true,
      notes,
      async note(value: unknown) {
        // A database takes longer than a turn.
        await new Promise((resolve) => setTimeout(resolve, 5))
        happened.push('noted')
        notes.push(value)
      },
    },
  } as unknown as ToolContext
  return { happened, notes, dryRuns, pay: () => run({ url: 'https://seller.example/page' }, context) }
}

test('a payment is noted before it is signed, and signed again under its note', async () => {
  const { happened, notes, pay } = payment({
    verdict: 'allowed',
    answers: [authorizerIsAway, authorizerSigns],
  })
  expect(await pay()).toMatchObject({ kind: 'error', code: 'unavailable' })
  expect(await pay()).toMatchObject({ status: 200, payment: { amount: '250', from: wallet } })
  expect(happened).toEqual(['noted', 'signed', 'signed', 'shown'])
  expect(notes).toHaveLength(1)
})

test('a refusal by the policy is reported as such, also where the authorizer was away at first: there is no payment', async () => {
  const { happened, pay } = payment({ verdict: 'rejected', answers: [authorizerIsAway, policyRefuses] })
  expect(await pay()).toMatchObject({ kind: 'error', code: 'unavailable' })
  expect(await pay()).toMatchObject({ kind: 'error', code: 'policy_violation' })
  expect(happened).toEqual(['signed', 'signed'])
})

test('a payment that the policy allows after all is noted before the seller gets it', async () => {
  const { happened, pay } = payment({ verdict: 'rejected', answers: [authorizerSigns] })
  expect(await pay()).toMatchObject({ status: 200, payment: { amount: '250' } })
  expect(happened).toEqual(['signed', 'noted', 'shown'])
})

test('a GET with a body is refused before anything is asked', () => {
  const { input } = payTool({} as never)
  const url = 'https://seller.example/page'
  expect(input.safeParse({ url, body: '{}' }).error?.issues).toMatchObject([{ path: ['body'] }])
  expect(input.safeParse({ url, body: '{}', method: 'POST' }).success).toBe(true)
})

test('of many offers eight are evaluated, and the address is looked up once for each chain', async () => {
  const offers = Array.from({ length: 32 }, (_, at) => ({ ...offer, network: at % 2 ? 'base' : 'polygon' }))
  const { dryRuns, pay } = payment({ offers, verdict: 'rejected', answers: [policyRefuses] })
  expect(await pay()).toMatchObject({ kind: 'error', code: 'policy_violation' })
  const counted = Object.fromEntries(
    [...Map.groupBy(dryRuns, (run) => run)].map(([run, all]) => [run, all.length]),
  )
  expect(counted).toEqual({
    'message on polygon': 1,
    'message on base': 1,
    'typed_data on polygon': 4,
    'typed_data on base': 4,
  })
})
