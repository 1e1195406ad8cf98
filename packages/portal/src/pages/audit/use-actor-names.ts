import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiKeysQuery, membersQuery } from '../../data/queries.ts'

/**
 * The names of actors by ID: email addresses of members, names of API keys. Former members and deleted keys have none. The log
 * itself has only IDs, because names change.
 */
export function useActorNames(orgID: string): ReadonlyMap<string, string> {
  const { data: members } = useQuery(membersQuery(orgID))
  const { data: keys } = useQuery(apiKeysQuery(orgID))
  return useMemo(() => {
    const people = (members ?? []).map(({ user_id, email }) => [user_id, email] as const)
    return new Map([...people, ...(keys ?? []).map(({ id, name }) => [id, name] as const)])
  }, [members, keys])
}
