import { createContext, type ReactNode, useContext } from 'react'
import type { Answer } from './portal-client.ts'

/** A company as its members see it. */
export type Organization = Answer<'GET /v1/orgs/{orgID}'>

/** The role of a member. */
export type Role = Organization['role']

const ranks: Record<Role, number> = { viewer: 0, developer: 1, admin: 2, owner: 3 }
const Context = createContext<Organization | undefined>(undefined)

/** Provides the open company to the pages within. */
export function OrganizationProvider({
  organization,
  children,
}: {
  organization: Organization
  children: ReactNode
}) {
  return <Context value={organization}>{children}</Context>
}

/** The open company. Throws outside of one. */
export function useOrganization(): Organization {
  const organization = useContext(Context)
  if (organization === undefined) throw new Error('No company is open.')
  return organization
}

/** The ID of the open company, if one is open. */
export const useOrganizationId = (): string | undefined => useContext(Context)?.id

/** Whether the signed-in person has at least this role in the open company. */
export function useMay(role: Role): boolean {
  return ranks[useOrganization().role] >= ranks[role]
}
