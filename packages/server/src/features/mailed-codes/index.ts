/**
 * Codes of six digits by mail, for one purpose each.
 * @module
 */
export type { CodeSubject } from './mailed-codes.store.ts'
export type { MailedCodes } from './mailed-codes.ts'
