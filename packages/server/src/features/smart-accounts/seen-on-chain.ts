import type { EvmChains } from '../../ports/evm-chains.ts'
import type { SmartAccountRow } from './smart-accounts.store.ts'

const waitMs = 1_000

/**
 * Those of the accounts that their chains have code for, by id. Waits at most a second for all chains together; an account
 * whose chain does not answer in time, or is not wired, is left out.
 */
export async function seenOnChain(
  accounts: readonly SmartAccountRow[],
  chains: EvmChains,
): Promise<Set<string>> {
  const seen = new Set<string>()
  const looks = accounts.map(async ({ id, chain, address }) => {
    const code = await chains
      .get(chain)
      ?.rpc.code(address)
      .catch(() => undefined)
    if (code !== undefined && code !== '0x') seen.add(id)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([Promise.all(looks), late])
  clearTimeout(timer)
  return new Set(seen)
}
