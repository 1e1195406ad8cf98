import type { Role } from '../../data/organization.tsx'

/** What each role is called. */
export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
}

/** What each role may do. */
export const roleTexts: Record<Role, string> = {
  owner: 'Everything, and makes other owners.',
  admin: 'Settings, authentication, recovery, members.',
  developer: 'Mints and revokes API keys; reads the rest.',
  viewer: 'Reads everything, changes nothing.',
}

/** The roles, from most to least. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const satisfies readonly Role[]
