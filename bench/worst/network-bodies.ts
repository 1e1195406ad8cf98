import type { NetworkName } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { worstAptos } from './aptos.ts'
import { worstBitcoin } from './bitcoin.ts'
import { worstCosmos } from './cosmos.ts'
import { worstEvm } from './evm.ts'
import { worstNear } from './near.ts'
import { worstSolana } from './solana.ts'
import { worstStellar } from './stellar.ts'
import { worstTron } from './tron.ts'
import type { WorstBody } from './worst-body.ts'

/** The wallet that the bodies of a curve are for. */
export const worstKey = (curve: Curve): Uint8Array => testKey(curve, 1).publicKey

function of(curve: Curve, make: (publicKey: Uint8Array) => WorstBody[]) {
  // Some take seconds to make.
  let made: WorstBody[] | undefined
  const bodies = (): WorstBody[] => {
    made ??= make(worstKey(curve))
    return made
  }
  return { curve, bodies }
}

/** The worst of what is signed, by network. A network without an entry does not compile. */
export const networkBodies = {
  evm: of('secp256k1', worstEvm),
  bitcoin: of('secp256k1', worstBitcoin),
  tron: of('secp256k1', worstTron),
  cosmos: of('secp256k1', worstCosmos),
  solana: of('ed25519', worstSolana),
  near: of('ed25519', worstNear),
  aptos: of('ed25519', worstAptos),
  stellar: of('ed25519', worstStellar),
} satisfies Record<NetworkName, { curve: Curve; bodies: () => WorstBody[] }>
