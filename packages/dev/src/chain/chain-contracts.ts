import { createRequire } from 'node:module'
import { type Abi, encodeDeployData, type Hex, padHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { devKeys, entryPoint } from './chain-constants.ts'
import { type Create2Deployment, create2Deployment } from './create2.ts'
import { devContracts } from './dev-contracts.ts'

const require = createRequire(import.meta.url)

/** Addresses of the contracts that every local chain has for trying things; their ABIs are in `devContracts()`. */
export type DevChainContracts = {
  target: Hex
  token: Hex
  nft: Hex
  multiToken: Hex
  ethUsdFeed: Hex
  eurUsdFeed: Hex
}

/** All that is deployed on a local chain: addresses follow from the code and are the same on each. */
export type ChainDeployments = {
  entryPoint: Create2Deployment
  paymaster: Create2Deployment
  contracts: Record<keyof DevChainContracts, Create2Deployment>
}

/** Works out the deployments. Throws when the EntryPoint's code is not the canonical one. */
export function chainDeployments(): ChainDeployments {
  const dev = devContracts()
  const canonical = create2Deployment(artifact('EntryPoint').bytecode, entryPoint.salt)
  if (canonical.address !== entryPoint.address)
    throw new Error('@account-abstraction/contracts does not carry the canonical EntryPoint v0.7')
  const paymaster = artifact('VerifyingPaymaster')
  return {
    entryPoint: canonical,
    paymaster: create2Deployment(
      encodeDeployData({
        ...paymaster,
        args: [entryPoint.address, privateKeyToAddress(devKeys.paymasterSigner)],
      }),
    ),
    contracts: {
      target: create2Deployment(dev.DevTarget.bytecode),
      token: create2Deployment(dev.DevToken.bytecode),
      nft: create2Deployment(dev.DevNft.bytecode),
      multiToken: create2Deployment(dev.DevMultiToken.bytecode),
      ethUsdFeed: create2Deployment(dev.DevPriceFeed.bytecode, padHex('0x01', { size: 32 })),
      eurUsdFeed: create2Deployment(dev.DevPriceFeed.bytecode, padHex('0x02', { size: 32 })),
    },
  }
}

/** A contract of the ERC-4337 reference implementation, v0.7. */
function artifact(name: 'EntryPoint' | 'VerifyingPaymaster'): { abi: Abi; bytecode: Hex } {
  return require(`@account-abstraction/contracts/artifacts/${name}.json`) as { abi: Abi; bytecode: Hex }
}
