/**
 * EVM chains and addresses alone, for programs that read settings before they load the rest.
 * @module
 */
export { checksumAddress, parseAddress } from './address.ts'
export { evmChains } from './chains.ts'
