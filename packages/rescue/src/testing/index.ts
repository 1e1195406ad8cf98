/** How the rescue page reads shares and rebuilds keys, for tests of other packages. */
export { rebuildKey } from '../rebuild-key.ts'
export { parseShare } from '../share.ts'
