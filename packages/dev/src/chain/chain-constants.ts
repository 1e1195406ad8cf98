import { type Hex, keccak256, stringToHex } from 'viem'

/** The deterministic deployment proxy, at the same address on every chain; anvil has it from its first block. */
export const create2Deployer: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** EntryPoint v0.7 and the salt that puts it to its canonical address through the deployer. */
export const entryPoint: { address: Hex; salt: Hex } = {
  address: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
}

/** Light Account v2.0.0: where factory and implementation are on every chain. */
export const lightAccount: { factory: Hex; implementation: Hex } = {
  factory: '0x0000000000400CdFef5E2714E63d8040b700BC24',
  implementation: '0x8E8e658E22B12ada97B402fF0b044D6A325013C7',
}

/** Keys that everybody knows, for accounts of the local chain alone; apart from anvil's own, which stay free for users. */
export const devKeys = {
  paymasterSigner: devKey('paymaster signer'),
  bundlerExecutors: [devKey('executor 1'), devKey('executor 2'), devKey('executor 3')],
  bundlerUtility: devKey('bundler utility'),
} as const

/** The deployer of the contracts; it has no key, the node sends in its name. */
export const deployer: Hex = '0x00000000000000000000000000000000C0DEC0DE'

function devKey(name: string): Hex {
  return keccak256(stringToHex(`symbolon local chain: ${name}`))
}
