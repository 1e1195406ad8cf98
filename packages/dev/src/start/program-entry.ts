import { fileURLToPath } from 'node:url'

/** A program that the start runs in a process of its own. */
export type Program = 'api' | 'enclave-simulated' | 'chain'

const sources: Record<Program, string> = {
  api: '../api-main.ts',
  'enclave-simulated': '../attestation/enclave-simulated.ts',
  chain: '../chain/chain-main.ts',
}

/** The bundler leaves this module's own place to it: it is beside the other programs then (scripts/build/programs.ts). */
const isBuilt = !import.meta.url.endsWith('.ts')

/** The file to run: built where we are built ourselves, so that all of a platform is of one state; its source otherwise. */
export const programEntry = (program: Program): string =>
  fileURLToPath(new URL(isBuilt ? `./${program}.js` : sources[program], import.meta.url))
