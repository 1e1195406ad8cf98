import { aptos } from './aptos/index.ts'
import { bitcoin } from './bitcoin/index.ts'
import { cosmos } from './cosmos/index.ts'
import { evm } from './evm/index.ts'
import { near } from './near/index.ts'
import type { Network, NetworkName } from './network.ts'
import { solana } from './solana/index.ts'
import { stellar } from './stellar/index.ts'
import { tron } from './tron/index.ts'

/** Every network by name. */
export const networks: Readonly<Record<NetworkName, Network>> = {
  evm,
  bitcoin,
  tron,
  cosmos,
  solana,
  near,
  aptos,
  stellar,
}
