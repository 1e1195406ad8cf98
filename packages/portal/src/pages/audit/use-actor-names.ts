import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiKeysQuery, membersQuery } from '../../data/queries.ts'

/**
 * Who is behind an actor id: the mail address of a member, the name of an API key. Whoever is none of the company's any more keeps the
 * bare id; the log itself has ids alone, since names change.
 */
export function useActorNames(orgID: string): ReadonlyMap<string, string> {
  const { data: members } = useQuery(membersQuery(orgID))
  const { data: keys } = useQuery(apiKeysQuery(orgID))
  return useMemo(() => {
    const people = (members ?? []).map(({ user_id, email }) => [user_id, email] as const)
    return new Map([...people, ...(keys ?? []).map(({ id, name }) => [id, name] as const)])
  }, [members, keys])
}
