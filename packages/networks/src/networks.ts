import { aptos } from './aptos.ts'
import { bitcoin } from './bitcoin.ts'
import { cosmos } from './cosmos.ts'
import { evm } from './evm.ts'
import { near } from './near.ts'
import type { Network, NetworkName } from './network.ts'
import { solana } from './solana.ts'
import { stellar } from './stellar.ts'
import { tron } from './tron.ts'

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
