import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../data/organization.tsx'
import { chainsQuery } from '../data/queries.ts'
import { type Chain, exampleChain } from './units.ts'

/** The chains that this platform knows; none while they are being fetched. */
export function useChains(): readonly Chain[] {
  const { data } = useQuery(chainsQuery(useOrganization().id))
  return data ?? []
}

/** The chain that examples name: one that this installation reaches, where there is one. */
export function useExampleChain(): Pick<Chain, 'handle' | 'native_asset'> {
  return exampleChain(useChains())
}
