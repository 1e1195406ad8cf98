import type { Role } from '../../data/organization.tsx'

/** The names of the roles. */
export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
}

/** What each role can do. */
export const roleTexts: Record<Role, string> = {
  owner: 'Can do everything, including adding other owners.',
  admin:
    'Everything developers can do. Also manages settings, authentication, recovery, the rules for agents, and members other than owners; archives wallets.',
  developer:
    'Creates, rotates and revokes API keys; secret keys can sign with every TEE wallet and mint agent sessions. Creates, changes and archives agents, including their limits, runs and hooks; revokes sessions.',
  viewer: 'Can view everything except the rules for agents, and change nothing.',
}

/** The roles, from the most to the least powerful. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const satisfies readonly Role[]
