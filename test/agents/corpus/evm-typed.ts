import type { SignIntent } from '@symbolon/networks'
import type { Hex } from 'viem'

const fields = (list: string) =>
  list.split(',').map((entry) => ({ type: entry.split(' ')[0] ?? '', name: entry.split(' ')[1] ?? '' }))
/** Typed data of the first of `types`, of a contract on Base unless `domain` says otherwise. */
export function typed(
  of: Hex,
  types: Readonly<Record<string, string>>,
  values: object,
  domain: object = { chainId: 8453, verifyingContract: of },
): SignIntent {
  const lists = Object.fromEntries(Object.entries(types).map(([name, list]) => [name, fields(list)]))
  const typedData = JSON.stringify({
    domain,
    types: lists,
    primaryType: Object.keys(types)[0],
    message: values,
  })
  return { kind: 'typed_data', chain: 'base', typedData }
}
