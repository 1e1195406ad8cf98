import { concatHex, getCreate2Address, type Hex } from 'viem'
import { create2Deployer } from './chain-constants.ts'

/** Something that the deterministic deployer puts to an address of its own. */
export type Create2Deployment = { address: Hex; data: Hex }

/** Address and calldata (salt, then init code) of a deployment through the deterministic deployer (EIP-1014). */
export function create2Deployment(initCode: Hex, salt: Hex = `0x${'00'.repeat(32)}`): Create2Deployment {
  return {
    address: getCreate2Address({ from: create2Deployer, salt, bytecode: initCode }),
    data: concatHex([salt, initCode]),
  }
}
