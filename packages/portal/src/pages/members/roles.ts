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
  admin:
    'What developers may, and settings, authentication, recovery and its webhook, the rules for agents, archiving wallets, members other than owners.',
  developer:
    'Mints, rotates and revokes API keys, secret ones too: they sign with every TEE wallet and mint agent sessions. Makes, changes and archives agents with their limits, runs and hooks; revokes sessions.',
  viewer: 'Reads everything but the rules for agents, changes nothing.',
}

/** The roles, from most to least. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const satisfies readonly Role[]
