/**
 * User operations of smart accounts (ERC-4337), from the build to their confirmation: building and sponsoring, submitting, and settling
 * what the chain made of them.
 * @module
 */
export { type BuildCtx, buildOperation } from './build-userop.ts'
export { type SubmitCtx, submitOperation } from './submit-userop.ts'
export { giveUpOperation, readOperation, type UserOpTimes } from './userops.ts'
