import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../data/organization.tsx'
import { chainsQuery } from '../data/queries.ts'
import type { Chain } from './units.ts'

/** The chains that this platform knows; none while they are being fetched. */
export function useChains(): readonly Chain[] {
  const { data } = useQuery(chainsQuery(useOrganization().id))
  return data ?? []
}
