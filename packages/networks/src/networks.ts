import { aptos } from './aptos/index.ts'
import { bitcoin } from './bitcoin/index.ts'
import { cosmos } from './cosmos/index.ts'
import { evm } from './evm/index.ts'
import type { NetworkName } from './names.ts'
import { near } from './near/index.ts'
import type { Network } from './network.ts'
import { networkSet } from './network-set.ts'
import { solana } from './solana/index.ts'
import { stellar } from './stellar/index.ts'
import { tron } from './tron/index.ts'

const byName: Readonly<Record<NetworkName, Network>> = {
  evm,
  bitcoin,
  tron,
  cosmos,
  solana,
  near,
  aptos,
  stellar,
}

/** Every network of production. To add one: its folder, its line here, and its lines in `names.ts`. */
export const networks = networkSet(Object.values(byName))
