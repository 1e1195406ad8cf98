import { createHash } from 'node:crypto'
import { NetworkError } from '@symbolon/networks'
import {
  chainByHandle,
  decodeForAgent,
  encodeIntent,
  policyNames as names,
} from '@symbolon/networks/testing/by-intent'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { compile, evaluate, methodOf, parseLayers } from '@symbolon/policy'
import { describe, expect, test } from 'vitest'
import { corpus } from './corpus/corpus.ts'
import type { CorpusCase } from './corpus/corpus-case.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const networks = ['evm', 'bitcoin', 'tron', 'cosmos', 'solana', 'near', 'aptos', 'stellar'] as const

/** What decoder and policy make of a case: the outcome, and what an allowed one costs beside its fee. */
function evaluated({ intent: given, operation, layers }: CorpusCase): {
  outcome: CorpusCase['expected']
  spends: Record<string, bigint>
} {
  const intent = typeof given === 'function' ? given() : given
  const chain = chainByHandle(intent.chain)
  if (chain === undefined) throw new Error(`There is no chain ${intent.chain}.`)
  const { publicKey } = testKey(chain.curve, 1)
  try {
    const { refusal, spends } = evaluate(compile(parseLayers(layers), names), {
      method: methodOf(intent.kind, operation !== undefined),
      chain,
      encoded: encodeIntent(intent),
      decode: () => decodeForAgent(intent, chain.curve, publicKey, operation),
      sha256,
    })
    const costs = Object.fromEntries(
      spends.flatMap(({ counter, amount, fee = 0n }) => (amount > fee ? [[counter, amount - fee]] : [])),
    )
    return { outcome: refusal?.reason ?? 'allowed', spends: costs }
  } catch (error) {
    if (error instanceof NetworkError) return { outcome: 'invalid', spends: {} }
    throw error
  }
}

describe('the corpus of payloads that agents are asked to sign', () => {
  test('has its cases of every network, each under a name of its own', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300)
    for (const network of networks) {
      const found = corpus.filter((each) => each.network === network)
      expect(found.length, network).toBeGreaterThanOrEqual(20)
      expect(new Set(found.map(({ name }) => name)).size, network).toBe(found.length)
    }
  })

  describe.each(networks)('%s', (network) => {
    test.each(corpus.filter((each) => each.network === network))(
      '$name is evaluated as $expected',
      (each) => {
        const { outcome, spends } = evaluated(each)
        expect(outcome).toBe(each.expected)
        if (each.spends) expect(spends).toEqual(each.spends)
      },
    )
  })
})
