import type { SignIntent, StoredOperation } from '@symbolon/networks'
import { chainByHandle, encodeIntent } from '@symbolon/networks/testing/by-intent'
import { makeGrant } from '@symbolon/testing/enclave'
import { corpus } from '../../agents/corpus/corpus.ts'
import type { CorpusCase } from '../../agents/corpus/corpus-case.ts'
import { type Attack, byPolicy, nth } from './attack.ts'
import type { World } from './world.ts'

const refusedCases = corpus.filter(({ expected }) => expected !== 'allowed')
const allowedCases = corpus.filter(({ expected }) => expected === 'allowed')

const intents = new WeakMap<CorpusCase, SignIntent>()

function intentOf(one: CorpusCase): SignIntent {
  const intent = intents.get(one) ?? (typeof one.intent === 'function' ? one.intent() : one.intent)
  intents.set(one, intent)
  return intent
}

const jsonOf = ({ chain, operation }: StoredOperation): string => JSON.stringify({ chain, operation })

/** Mints a session with the case's layers, says that nothing of them is stored any more, and asks for its payload. */
async function ask({ enclave, corpusWallets }: World, one: CorpusCase, isForged: boolean): Promise<unknown> {
  const intent = intentOf(one)
  const chain = chainByHandle(intent.chain)
  if (chain === undefined) throw new Error(`There is no chain ${intent.chain}.`)
  const wallet = corpusWallets[chain.curve]
  const { shareA, shareB } = wallet
  const grant = await makeGrant(enclave, wallet, one.layers)
  return enclave.agentSign({
    ...grant,
    shareA,
    shareB,
    intent: encodeIntent(intent),
    ...(one.operation && { operation: jsonOf(one.operation) }),
    ...(isForged && { current: JSON.stringify({ organization: null, agent: null }) }),
  })
}

/** Every payload of the agents' corpus that its policy refuses, in every encoding of it. */
export const corpusAttack: Attack = {
  name: 'payloads of the corpus that the sealed policy refuses',
  refusals: [byPolicy, 'invalid_payload'],
  attempt: (world, n) => ({
    // A prime step: even a short run comes through all networks.
    forged: () => ask(world, nth(refusedCases, n * 101), true),
    honest: () => ask(world, nth(allowedCases, n * 101), false),
  }),
}
