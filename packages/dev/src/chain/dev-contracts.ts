import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

/** The contracts of `packages/dev/contracts`. */
export type DevContractName =
  | 'DevLightAccount'
  | 'DevLightAccountFactory'
  | 'DevTarget'
  | 'DevToken'
  | 'DevDollar'
  | 'DevNft'
  | 'DevMultiToken'
  | 'DevPriceFeed'

/** The compiler's output per contract: interface, deployment code, runtime code. */
export type ContractArtifacts = Record<DevContractName, { abi: Abi; bytecode: Hex; deployedBytecode: Hex }>

/** Where the compiled contracts are kept; `compile-main.ts` writes it. */
export const artifactFile = fileURLToPath(new URL('../../contracts/artifacts.json', import.meta.url))

/** Reads the compiled contracts. */
export function devContracts(): ContractArtifacts {
  return JSON.parse(readFileSync(artifactFile, 'utf8')) as ContractArtifacts
}
