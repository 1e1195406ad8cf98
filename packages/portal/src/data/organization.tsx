import { createContext, type ReactNode, useContext } from 'react'
import type { Answer } from './portal-client.ts'

/** A company as its members see it. */
export type Organization = Answer<'GET /v1/orgs/{orgID}'>

/** What a member may do. */
export type Role = Organization['role']

const ranks: Record<Role, number> = { viewer: 0, developer: 1, admin: 2, owner: 3 }
const Context = createContext<Organization | undefined>(undefined)

/** The company that the pages below are about. */
export function OrganizationProvider({
  organization,
  children,
}: {
  organization: Organization
  children: ReactNode
}) {
  return <Context value={organization}>{children}</Context>
}

/** The company of this page. Throws outside of one. */
export function useOrganization(): Organization {
  const organization = useContext(Context)
  if (organization === undefined) throw new Error('There is no company here.')
  return organization
}

/** Whether whoever is logged in has at least this role in the company of this page. */
export function useMay(role: Role): boolean {
  return ranks[useOrganization().role] >= ranks[role]
}
