import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../data/organization.tsx'
import { chainsQuery } from '../data/queries.ts'
import { type Chain, exampleChain } from './units.ts'

/** The chains that this platform knows; empty while they load. */
export function useChains(): readonly Chain[] {
  const { data } = useQuery(chainsQuery(useOrganization().id))
  return data ?? []
}

/** The chain for examples (`exampleChain`), among those `allowed` if any of them is known. */
export function useExampleChain(allowed?: readonly string[] | null): Pick<Chain, 'handle' | 'native_asset'> {
  const chains = useChains()
  const usable = allowed == null ? chains : chains.filter(({ handle }) => allowed.includes(handle))
  return exampleChain(usable.length > 0 ? usable : chains)
}
