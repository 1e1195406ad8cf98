/**
 * The people of an organization, and the emails its owners get.
 * @module
 */

export { membersStore } from './members.store.ts'
export { isMember } from './members.ts'
export { namedCompany, type OwnerNotices } from './owner-notices.ts'
export { type PortalUser, portalUsersStore } from './portal-users.store.ts'
export { shownName } from './shown-name.ts'
