/**
 * The API keys of organizations, as their members manage them.
 * @module
 */
export { isMember } from './api-keys.ts'
