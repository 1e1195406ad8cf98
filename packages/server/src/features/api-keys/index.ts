/**
 * The API keys of organizations, as their members manage them.
 * @module
 */
export { isMember } from '../members/index.ts'
