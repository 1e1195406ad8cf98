import { networks } from '@symbolon/networks/browser'

const names: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  sepolia: 'Sepolia',
  base: 'Base',
  'base-sepolia': 'Base Sepolia',
  optimism: 'OP Mainnet',
  arbitrum: 'Arbitrum One',
  polygon: 'Polygon',
  local: 'Local chain',
  'local-2': 'Second local chain',
  bitcoin: 'Bitcoin',
  'bitcoin-testnet': 'Bitcoin Testnet',
  tron: 'Tron',
  'tron-nile': 'Tron Nile',
  cosmoshub: 'Cosmos Hub',
  osmosis: 'Osmosis',
  solana: 'Solana',
  'solana-devnet': 'Solana Devnet',
  near: 'Near',
  'near-testnet': 'Near Testnet',
  aptos: 'Aptos',
  'aptos-testnet': 'Aptos Testnet',
  stellar: 'Stellar',
  'stellar-testnet': 'Stellar Testnet',
}

/** What people call the chain of a handle; the handle itself where there is no other name. */
export function chainName(handle: string): string {
  return names[handle] ?? handle
}

/** Whether what is worth something on other chains is worth nothing on this one. */
export function isTestChain(handle: string): boolean {
  return networks.chain(handle) !== undefined && /sepolia|local|testnet|devnet|nile/.test(handle)
}
