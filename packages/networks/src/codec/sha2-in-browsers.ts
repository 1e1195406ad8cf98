/** What `#sha2` is in a browser's build. */
export { sha256 } from '@noble/hashes/sha2.js'
