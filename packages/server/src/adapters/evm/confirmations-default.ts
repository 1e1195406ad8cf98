// About half a minute of blocks at most: an operation is answered within it, and watched for reorganisations until it is final.
const confirmations: Readonly<Record<string, number>> = {
  ethereum: 2,
  sepolia: 2,
  base: 3,
  'base-sepolia': 3,
  optimism: 3,
  arbitrum: 20,
  polygon: 8,
  local: 2,
  'local-2': 2,
}

/** At which depth an event counts on a chain, its own block being the first, unless the operator says otherwise. */
export const confirmationsDefault = (handle: string): number => confirmations[handle] ?? 2
