import type { Answer } from '../../data/portal-client.ts'

type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets'>['items'][number]

/** What each network is called. */
export const networkNames: Record<Wallet['chain_type'], string> = {
  evm: 'EVM',
  bitcoin: 'Bitcoin',
  tron: 'Tron',
  cosmos: 'Cosmos',
  solana: 'Solana',
  near: 'NEAR',
  aptos: 'Aptos',
  stellar: 'Stellar',
}

/** The curves with the networks that use them. */
export const curveNames: Record<Wallet['curve'], string> = {
  secp256k1: 'secp256k1 (EVM, Bitcoin, …)',
  ed25519: 'ed25519 (Solana, NEAR, …)',
}
