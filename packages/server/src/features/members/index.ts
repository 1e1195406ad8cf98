/**
 * The people of an organization, and the mails its owners get.
 * @module
 */
export type { OwnerNotices } from './owner-notices.ts'
