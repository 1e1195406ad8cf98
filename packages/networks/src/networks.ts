import { aptos } from './aptos/index.ts'
import { bitcoin } from './bitcoin/index.ts'
import { cosmos } from './cosmos/index.ts'
import { evm } from './evm/index.ts'
import { near } from './near/index.ts'
import { networkSet } from './network-set.ts'
import { solana } from './solana/index.ts'
import { stellar } from './stellar/index.ts'
import { tron } from './tron/index.ts'

/** Every network of production. To add one: its folder, and its line here. */
export const networks = networkSet([evm, bitcoin, tron, cosmos, solana, near, aptos, stellar])
