/** Pure building blocks for browser and Node; what needs `node:crypto` is in `@symbolon/crypto/node`. */
export { equalBytes } from './equal-bytes.ts'
export { importKeyBinding, type KeyTransfer, keyTransferAad, keyTransferInfo } from './key-transfer.ts'
export { Secret } from './secret.ts'
export { combineShares, ShareError, type ShareErrorCode, splitSecret } from './shamir.ts'
export { type ShareRefresh, shareRefreshDomain, shareRefreshStatement } from './share-refresh-statement.ts'
export { mintToken, type ParsedToken, parseToken, type TokenPrefix } from './token.ts'
export { uuidFromBytes, uuidToBytes, uuidv7 } from './uuid.ts'
export { wipe } from './wipe.ts'
