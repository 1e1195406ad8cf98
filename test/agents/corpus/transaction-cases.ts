import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'

/** A transaction of a table: what is tried, its bytes, what has to become of it, under which layers, at what cost. */
export type TransactionRow = readonly [
  name: string,
  bytes: () => Uint8Array,
  expected: CorpusCase['expected'],
  layers?: CorpusLayers,
  spends?: NonNullable<CorpusCase['spends']>,
]

/** No rule at all: what is refused all the same is refused to every agent, or needs a contract to be allowed. */
export const anything: CorpusLayers = { organization: { token_mode: 'any' } }

/** Layers of one session without rules of the organization but that every token may move. */
export function session(policy: Readonly<Record<string, unknown>>): CorpusLayers {
  return { ...anything, session: policy }
}

/** The cases of a table of transactions on a chain, by default under no rule at all. */
export function transactionCases(
  handle: string,
  rows: readonly TransactionRow[],
  signMode?: 'amino_json',
): readonly CorpusCase[] {
  const network = chainByHandle(handle)?.network
  if (network === undefined) throw new Error(`There is no chain ${handle}.`)
  return rows.map(([name, bytes, expected, layers = anything, spends]) => ({
    name: `${handle}: ${name}`,
    network,
    intent: () => ({
      kind: 'transaction',
      network,
      chain: handle,
      bytes: bytes(),
      ...(signMode !== undefined && { signMode }),
    }),
    layers,
    expected,
    ...(spends && { spends }),
  }))
}
