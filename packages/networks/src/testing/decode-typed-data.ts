import { ownAccounts } from '../evm/policy/own-accounts.ts'
import { chainAddress, chainByHandle, decodeForAgent } from './by-intent.ts'
import { testKey } from './oracle-signer.ts'

const { publicKey } = testKey('secp256k1', 1)
const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')

/** The accounts of the wallet that signs typed data here. */
export const own = ownAccounts({ chain: base, address: chainAddress(base, publicKey), addresses: {} })

/** What a policy is told of typed data that no agent signs. */
export const refused = ['trap typed_data_not_allowed']

const fields = (text: string) =>
  text.split(',').map((entry) => ({ type: entry.split(' ')[0] ?? '', name: entry.split(' ')[1] ?? '' }))

/**
 * Decodes typed data of the first of `types` for an agent, for a contract on Base unless `domain` says otherwise: a line for each effect and
 * the trap.
 */
export function decodeTypedData(
  verifyingContract: string,
  types: Record<string, string>,
  message: object,
  domain: object = { chainId: 8453, verifyingContract },
): string[] {
  const typedData = JSON.stringify({
    domain,
    types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fields(text)])),
    primaryType: Object.keys(types)[0],
    message,
  })
  const { effects, trap, fee } = decodeForAgent(
    { kind: 'typed_data', chain: 'base', typedData },
    'secp256k1',
    publicKey,
  )
  if (fee !== null) throw new Error('typed data has no fee')
  const lines = effects.map(({ kind, asset, amount, from, to }) => {
    const maker = from === own.key ? '' : ` of ${from}`
    return `${kind} ${asset} ${amount} ${to}${maker}`
  })
  return trap === null ? lines : [...lines, `trap ${trap}`]
}
